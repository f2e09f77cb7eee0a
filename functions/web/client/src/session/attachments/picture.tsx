/** An image that the API keeps. It comes in parts, so it is put together before it is shown. */

import { ImageOff } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "../../api";
import { Icon } from "../../design/icon";
import type { Attached } from "../../protocol";

export type Shown = Omit<Attached, "width" | "height"> & {
  readonly width: number | null;
  readonly height: number | null;
};

/** Of what was shown last: scrolling away and back asks for nothing again. */
const MOST_KEPT = 40;
const kept = new Map<string, Promise<string>>();

function addressOf(file: Shown): Promise<string> {
  const known = kept.get(file.id);
  if (known !== undefined) {
    return known;
  }
  const address = api.download(file).then((blob) => URL.createObjectURL(blob));
  kept.set(file.id, address);
  address.catch(() => kept.delete(file.id));
  forget();
  return address;
}

function forget(): void {
  for (const [id, address] of [...kept].slice(0, Math.max(0, kept.size - MOST_KEPT))) {
    kept.delete(id);
    address.then(URL.revokeObjectURL, () => undefined);
  }
}

export function Picture({ file }: { readonly file: Shown }) {
  const [address, setAddress] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    addressOf(file).then(
      (found) => current && setAddress(found),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [file]);
  const ratio = file.width && file.height ? `${file.width} / ${file.height}` : undefined;
  if (failed) {
    return (
      <span class="picture picture-failed">
        <Icon of={ImageOff} />
        {file.name}
      </span>
    );
  }
  return address === null ? (
    <span class="picture picture-loading" style={{ aspectRatio: ratio }} />
  ) : (
    <img
      class="picture"
      src={address}
      alt={file.name}
      style={{ aspectRatio: ratio }}
      onError={() => setFailed(true)}
    />
  );
}
