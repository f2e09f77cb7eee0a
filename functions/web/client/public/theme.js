// Before the first paint, and a file because the page allows no inline script: see src/shell/theme.ts.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("outboard.theme");
  } catch {
    // A browser that keeps nothing for this site: the system's it is.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
