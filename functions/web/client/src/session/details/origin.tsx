/** The environment that the session was opened from, as it is called now; or that it is gone. */

import { Boxes } from "lucide-preact";
import * as api from "../../api";
import { Icon } from "../../design/icon";
import type { SessionView } from "../../protocol";
import { useFetched } from "./fetched";
import { Section } from "./section";

export function Origin({ session }: { readonly session: SessionView }) {
  return session.environment === null ? null : <Environment session={session} />;
}

/** Only who asks for the session itself is told what has become of its environment. */
function Environment({ session }: { readonly session: SessionView }) {
  const found = useFetched((signal) => api.session(session.id, signal), session.id, session.status);
  const told = found?.environment ?? session.environment;
  return told === null ? null : (
    <Section title="Environment">
      <p class="section-line">
        <Icon of={Boxes} size={14} />
        <span class="section-grow">{told.name}</span>
        {told.deleted === true && <span class="section-aside">Environment deleted</span>}
      </p>
    </Section>
  );
}
