/** Files that are dragged over an element and dropped there. */
import { useState } from "preact/hooks";

export function useDrop(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const here = event.currentTarget as Node;
      if (!here.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      const files = filesOf(event.dataTransfer?.files);
      setOver(false);
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    },
  };
  return { over, handlers };
}

export function filesOf(list: FileList | null | undefined): File[] {
  return [...(list ?? [])];
}
