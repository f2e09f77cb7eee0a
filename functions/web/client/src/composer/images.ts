/** Which files can be attached to a prompt, and why the others can't. */

export const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MOST = 6;
const MOST_BYTES = 10 * 1024 * 1024;

interface Accepted {
  images: File[];
  /** About the first that was not accepted. */
  refused: string | null;
}

/** `already`: how many the prompt has. */
export function accepted(files: readonly File[], already: number): Accepted {
  const wrong = files.map(whyNot).find((words) => words !== null) ?? null;
  const right = files.filter((file) => whyNot(file) === null);
  const images = right.slice(0, MOST - already);
  const full = images.length < right.length ? `A prompt can have up to ${MOST} images.` : null;
  return { images, refused: wrong ?? full };
}

function whyNot(file: File): string | null {
  const name = file.name || "This file";
  if (!TYPES.includes(file.type)) {
    return `${name} can't be attached: only PNG, JPEG, WebP and GIF images can.`;
  }
  if (file.size > MOST_BYTES) {
    return `${name} is ${megabytes(file.size)} MB; an image can have up to 10 MB.`;
  }
  return file.size === 0 ? `${name} is empty.` : null;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
