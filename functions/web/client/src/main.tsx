import "./design/fonts";
import "./design/tokens.css";
import "./design/base.css";
import { render } from "preact";
import { App } from "./app";
import { followTheme } from "./shell/theme";

followTheme();
const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
}
