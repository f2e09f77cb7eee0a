// @vitest-environment jsdom
// The one that DOMPurify is made for beside browsers: in happy-dom it leaves half of it standing.
import { cleanup, render } from "@testing-library/preact";
import { afterEach, describe, expect, test } from "vitest";
import { Markdown } from "../../../src/session/timeline/prose/markdown";

afterEach(cleanup);

function shown(text: string): Element {
  return render(<Markdown text={text} />).container;
}

describe("what an agent writes", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src='https://evil.example'></iframe>",
    "<form action='https://evil.example'><input name=q></form>",
    "<p style='position:fixed'>over the page</p>",
    "<a href='javascript:alert(1)' onclick='alert(1)' target='_top'>x</a>",
    "text with <b onmouseover=alert(1)>html</b> inside",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<details open ontoggle=alert(1)><summary>s</summary></details>",
    "<div id='app' name='body'>shadows</div>",
  ])("can't do anything to the page: %s", (hostile) => {
    const page = shown(hostile);

    expect(page.querySelector("script, iframe, img, svg, form, style, math")).toBeNull();
    const attributes = [...page.querySelectorAll("*")].flatMap((each) => each.getAttributeNames());
    expect(attributes.filter((name) => /^on|^style$|^id$|^name$/.test(name))).toEqual([]);
    expect(page.innerHTML).not.toMatch(/javascript:/i);
  });

  test.each([
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>1</script>)",
    "[x](/settings)",
    "[x](vbscript:x)",
    "![x](javascript:alert(1))",
  ])("gets no link from %s", (link) => {
    const page = shown(link);

    expect(page.querySelector("a")).toBeNull();
    expect(page.textContent).toContain("x");
  });

  test("links apart from the page, and tells nobody where from", () => {
    const link = shown("see [the docs](https://docs.example/a)").querySelector("a");

    expect(link?.getAttribute("href")).toBe("https://docs.example/a");
    expect(link?.target).toBe("_blank");
    expect(link?.rel).toContain("noopener");
    expect(link?.rel).toContain("noreferrer");
  });

  test("links in its own HTML the same way", () => {
    const link = shown('<p>see <a href="https://docs.example/a">docs</a></p>').querySelector("a");

    expect(link?.target).toBe("_blank");
    expect(link?.rel).toContain("noopener");
  });

  test("names pictures from elsewhere instead of loading them", () => {
    const page = shown("![a chart](https://evil.example/pixel.png)");

    expect(page.querySelector("img")).toBeNull();
    expect(page.querySelector("a")?.textContent).toBe("a chart");
  });

  test("keeps the harmless HTML that people write", () => {
    const page = shown("press <kbd>Esc</kbd>");

    expect(page.querySelector("kbd")?.textContent).toBe("Esc");
  });

  test("is code, lists, tables and tasks", () => {
    const page = shown("- [x] done\n- [ ] open\n\n```py\nx = 1\n```\n\n| a |\n| - |\n| 1 |\n");

    const boxes = [...page.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
    expect(boxes.map((each) => each.checked)).toEqual([true, false]);
    expect(page.querySelector("pre")?.textContent).toBe("x = 1");
    expect(page.querySelector("td")?.textContent).toBe("1");
    expect(page.querySelector("[aria-label='Copy code']")).not.toBeNull();
  });

  test("reads characters by their names once", () => {
    expect(shown("a &lt; b &amp;amp; c").textContent).toBe("a < b &amp; c");
  });

  test("keeps the nodes of what stands already while more is written", () => {
    const { container, rerender } = render(<Markdown text={"One.\n\nTw"} growing />);
    const first = container.querySelector("p");

    rerender(<Markdown text={"One.\n\nTwo, and **more**"} growing />);

    expect(container.querySelector("p")).toBe(first);
    expect(container.textContent).toBe("One.Two, and more");
  });
});
