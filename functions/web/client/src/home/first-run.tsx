/** Where no repository is known yet: how one comes here. */
import { Copy } from "../design/copy";

export function FirstRun() {
  return (
    <section class="first-run" aria-labelledby="first-run">
      <h2 id="first-run" class="first-run-title">
        First, a repository
      </h2>
      <ol class="first-run-steps">
        <li>
          <p>Register one of this machine: run this in its directory.</p>
          <Copy text="./outboard repo add ." what="command" />
        </li>
        <li>
          <p>Or paste the https address of one that is hosted into “Choose a repository” above.</p>
        </li>
      </ol>
      <p class="first-run-note">
        A session then works on a copy, in a sandbox, and hands its commits back on a branch of its
        own.
      </p>
    </section>
  );
}
