import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../src/api/errors";
import { createUploads } from "../../src/composer/uploads";
import type { AttachmentView } from "../../src/protocol";

function image(name: string, size = 10, type = "image/png"): File {
  const file = new File(["x"], name, { type });
  Object.defineProperty(file, "size", { value: size });
  return file;
}

function stored(file: File): AttachmentView {
  const { name, type, size } = file;
  return { id: `id-${name}`, name, type, size, ready: true, partBytes: 1, width: 4, height: 3 };
}

type Asks = NonNullable<Parameters<typeof createUploads>[0]>;

function server(upload: Asks["upload"], gone: readonly string[] = []): Asks {
  const download: Asks["download"] = async ({ id }) => {
    if (gone.includes(id)) throw new ApiError(404, "not_found", "gone");
    return new Blob();
  };
  return { upload, download };
}

beforeEach(() => {
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => {};
});

test("what was uploaded goes with the prompt and is gone from the box", async () => {
  const uploads = createUploads(server(async (file) => stored(file)));

  uploads.add([image("a.png")]);
  await vi.waitUntil(() => !uploads.unsettled.value);
  const taken = uploads.take();

  const attached = { id: "id-a.png", name: "a.png", type: "image/png", size: 10 };
  expect(taken).toEqual([{ ...attached, width: 4, height: 3 }]);
  expect(uploads.all.value).toEqual([]);
});

test.each([
  [
    image("notes.pdf", 10, "application/pdf"),
    "notes.pdf can't be attached: only PNG, JPEG, WebP and GIF images can.",
  ],
  [image("big.png", 11 * 1024 * 1024), "big.png is 11.0 MB; an image can have up to 10 MB."],
  [image("none.png", 0), "none.png is empty."],
])("a file that can't be attached is refused in words", (file, words) => {
  const send = vi.fn();
  const uploads = createUploads(server(send));

  uploads.add([file]);

  expect([uploads.problem.value, uploads.all.value, send.mock.calls]).toEqual([words, [], []]);
});

test("a prompt has up to six images", async () => {
  const uploads = createUploads(server(async (file) => stored(file)));

  uploads.add([1, 2, 3, 4].map((each) => image(`${each}.png`)));
  uploads.add([5, 6, 7].map((each) => image(`${each}.png`)));

  expect([uploads.all.value.length, uploads.problem.value]).toEqual([
    6,
    "A prompt can have up to 6 images.",
  ]);
});

test("an upload that failed holds the prompt back until it is tried again or removed", async () => {
  let fails = true;
  const uploads = createUploads(
    server(async (file) => {
      if (fails) throw new ApiError(422, "invalid", "it is no image");
      return stored(file);
    }),
  );
  uploads.add([image("a.png")]);
  await vi.waitUntil(() => uploads.problem.value !== null);
  const before = [uploads.problem.value, uploads.unsettled.value];

  fails = false;
  uploads.retry(uploads.all.value[0]?.key ?? 0);
  await vi.waitUntil(() => !uploads.unsettled.value);

  expect(before).toEqual(["a.png could not be uploaded: it is no image.", true]);
  expect(uploads.problem.value).toBeNull();
});

test("an image that is removed is not uploaded on", () => {
  let signal: AbortSignal | undefined;
  const uploads = createUploads(
    server((_, asked) => {
      signal = asked?.signal;
      return new Promise(() => {});
    }),
  );
  uploads.add([image("a.png")]);

  uploads.remove(uploads.all.value[0]?.key ?? 0);

  expect([signal?.aborted, uploads.all.value]).toEqual([true, []]);
});

test.each([
  new ApiError(401, "unauthenticated", "sign in"),
  new ApiError(0, "unreachable", "lost"),
])("a draft keeps images that can't be shown for now: %s", async (error) => {
  const kept = stored(image("kept.png"));
  const download = vi.fn(() => Promise.reject(error));
  const uploads = createUploads({ upload: async (file) => stored(file), download });

  uploads.restore([kept]);
  await vi.waitUntil(() => download.mock.results.length > 0);
  await download.mock.results[0]?.value.catch(() => {});

  expect(uploads.take().map((each) => each.id)).toEqual([kept.id]);
});

test("a draft has its images again, but for those that have expired", async () => {
  const [kept, expired] = [stored(image("kept.png")), stored(image("old.png"))];
  const uploads = createUploads(server(async (file) => stored(file), [expired.id]));

  uploads.restore([kept, expired]);
  await vi.waitUntil(() => uploads.all.value.every((each) => each.preview !== null));

  expect(uploads.take().map((each) => each.id)).toEqual([kept.id]);
});
