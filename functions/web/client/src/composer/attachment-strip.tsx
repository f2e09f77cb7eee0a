/** The images of a prompt that is being written, as thumbnails that can be taken off again. */
import { RotateCw, X } from "lucide-preact";
import { Icon } from "../design/icon";
import type { Upload, Uploads } from "./uploads";
import "./attachment-strip.css";

export function AttachmentStrip({ uploads }: { uploads: Uploads }) {
  const all = uploads.all.value;
  const problem = uploads.problem.value;
  return (
    <>
      {all.length > 0 && (
        <ul class="attachments" aria-label="Attached images">
          {all.map((upload) => (
            <Thumbnail key={upload.key} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
      <p class={problem ? "attachments-problem" : "visually-hidden"} role="alert">
        {problem}
      </p>
    </>
  );
}

function Thumbnail({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { key, file, preview, error } = upload;
  return (
    <li class={error ? "attachment attachment-bad" : "attachment"} data-tip={error ?? file.name}>
      {preview && <img class="attachment-image" src={preview} alt={file.name} />}
      {!upload.stored && !error && <Progress upload={upload} />}
      {error && (
        <button
          type="button"
          class="attachment-retry"
          aria-label={`Upload ${file.name} again`}
          onClick={() => uploads.retry(key)}
        >
          <Icon of={RotateCw} />
        </button>
      )}
      <button
        type="button"
        class="attachment-remove"
        aria-label={`Remove ${file.name}`}
        onClick={() => uploads.remove(key)}
      >
        <Icon of={X} size={12} />
      </button>
    </li>
  );
}

function Progress({ upload: { file, progress } }: { upload: Upload }) {
  return (
    <progress
      class="attachment-progress"
      max={1}
      value={progress}
      aria-label={`Uploading ${file.name}`}
    />
  );
}
