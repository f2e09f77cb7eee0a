/** The sandbox: where its ports are, what was chosen for it, and how the last ones came up. */

import { ExternalLink } from "lucide-preact";
import { useState } from "preact/hooks";
import * as api from "../../api";
import { StatusDot } from "../../design/badge";
import { Icon } from "../../design/icon";
import { type Status, sandboxStatus } from "../../design/status";
import type { BootView, SessionView } from "../../protocol";
import { between, duration } from "../format";
import { Moment } from "../moment";
import { Disclosure } from "../timeline/disclosure";
import { OPENED_APART, safeHref } from "../timeline/prose/links";
import { BootPhases } from "./boot-phases";
import { useFetched } from "./fetched";
import { Fact, Section } from "./section";
import { settingsInWords } from "./settings-words";

export function Tunnels({ session }: { readonly session: SessionView }) {
  const all = Object.entries(session.sandbox.tunnels);
  return all.length === 0 ? null : (
    <Section title="Ports">
      <ul class="section-list">
        {all.map(([port, url]) => (
          <li key={port} class="section-line">
            <Icon of={ExternalLink} size={14} />
            <a class="section-grow" href={safeHref(url) ?? undefined} {...OPENED_APART}>
              Port {port}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Settings({ session }: { readonly session: SessionView }) {
  const chosen = settingsInWords(session.settings);
  return chosen.length === 0 ? null : (
    <Section title="Sandbox settings">
      <dl class="section-facts">
        {chosen.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

const SHOWN = 4;

export function Boots({ session }: { readonly session: SessionView }) {
  const { sandbox, id } = session;
  const news = `${sandbox.attempt}/${sandbox.status}/${sandbox.phase}`;
  const found = useFetched((signal) => api.boots(id, SHOWN, signal), id, news);
  const [open, setOpen] = useState<number | null>(null);
  const boots = found?.boots ?? [];
  return boots.length === 0 ? null : (
    <Section title="Last boots">
      {boots.map((boot) => (
        <Boot
          key={boot.attempt}
          boot={boot}
          session={session}
          open={open === boot.attempt}
          onToggle={() => setOpen(open === boot.attempt ? null : boot.attempt)}
        />
      ))}
    </Section>
  );
}

interface BootProps {
  readonly boot: BootView;
  readonly session: SessionView;
  readonly open: boolean;
  onToggle(): void;
}

const FROM: Readonly<Record<string, string>> = {
  fresh: "Fresh start",
  resume: "Resume",
  restore: "Snapshot restore",
  image: "Prebuilt image",
};

function Boot({ boot, session, open, onToggle }: BootProps) {
  const status = standing(boot);
  const from = FROM[boot.boot] ?? boot.boot;
  const start = boot.startedAt;
  const took = start && boot.readyAt ? duration(between(start, boot.readyAt)) : null;
  return (
    <Disclosure
      open={open}
      onToggle={onToggle}
      icon={<StatusDot tone={status.tone} hollow={status.hollow} label={status.label} />}
      line={
        <>
          <span class="section-grow">{from}</span>{" "}
          <span class="section-aside">{took ?? status.label}</span>{" "}
          {start !== null && <Moment at={start} />}
        </>
      }
    >
      <BootPhases boot={boot} current={session.sandbox} />
      {boot.error !== null && <p class="boot-error">{boot.error}</p>}
    </Disclosure>
  );
}

function standing(boot: BootView): Status {
  if (boot.readyAt !== null && boot.status !== "failed" && boot.status !== "stale") {
    return sandboxStatus("ready");
  }
  return sandboxStatus(boot.status ?? (boot.endedAt === null ? "connecting" : "stopped"));
}
