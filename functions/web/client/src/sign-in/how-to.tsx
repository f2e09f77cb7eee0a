/** How one gets a link that signs this browser in. */
import { Copy } from "../design/copy";
import "./how-to.css";

export function HowToSignIn() {
  return (
    <div class="how-to">
      <p>Run this where Outboard is, or where its command line is set up, and open the link:</p>
      <Copy text="./outboard open" what="command" />
    </div>
  );
}
