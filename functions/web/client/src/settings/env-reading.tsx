/** What a pasted `.env` file would set: names, and what is refused, in the server's words. */
import { Badge } from "../design/badge";
import type { SecretLine, SecretReading } from "../protocol";

export function isGood({ lines, problem }: SecretReading): boolean {
  return problem === null && lines.length > 0 && lines.every((each) => each.problem === null);
}

export function summary({ lines, problem }: SecretReading): string {
  const refused = lines.filter((each) => each.problem !== null).length;
  if (problem !== null) return `Nothing of it can be set: ${problem}.`;
  if (refused === 0) return `All ${lines.length} would be set.`;
  return `${refused} of ${lines.length} are refused, and nothing is set while any is.`;
}

export function EnvReading({ reading }: { reading: SecretReading }) {
  return (
    <div class="vault-reading">
      <p class={isGood(reading) ? "vault-summary" : "vault-summary vault-problem"} role="status">
        {summary(reading)}
      </p>
      <ul class="vault-rows" aria-label="Lines of the file">
        {reading.lines.map((line) => (
          <li key={line.line} class="vault-line">
            <span class="vault-line-number">Line {line.line}</span>
            {line.name !== null && <code class="vault-name">{line.name}</code>}
            <Outcome line={line} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Outcome({ line }: { line: SecretLine }) {
  if (line.problem !== null) {
    return (
      <>
        <Badge tone="bad">Refused</Badge>
        <span class="vault-problem">{line.problem}</span>
      </>
    );
  }
  return <Badge>{line.replaces ? "Replaces" : "New"}</Badge>;
}
