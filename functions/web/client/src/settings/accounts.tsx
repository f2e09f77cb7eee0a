/** Accounts at code hosts that one has connected, so as to act there as oneself. */
import { useCallback, useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Badge } from "../design/badge";
import { Button } from "../design/button";
import { Confirm } from "../design/confirm";
import { Skeleton } from "../design/skeleton";
import { toast } from "../design/toast";
import type { AccountList, AccountView } from "../protocol";
import { attempt } from "../shell/attempt";
import { problemWords } from "../sign-in/problems";
import { providerName } from "../sign-in/provider-name";
import { type CameBack, takeCameBack } from "./came-back";

export function Accounts() {
  const [came] = useState(takeCameBack);
  const [problem, setProblem] = useState(() => problemWords());
  const [list, setList] = useState<AccountList | "failed" | null>(null);
  const load = useCallback(() => {
    api.accounts().then(setList, () => setList("failed"));
  }, []);
  useEffect(() => {
    const begin = async () => {
      if (came) setProblem(await connected(came));
      load();
    };
    void begin();
  }, [came, load]);
  return (
    <>
      {problem && (
        <p class="settings-problem" role="alert">
          {problem}
        </p>
      )}
      {list === null && <Skeleton lines={1} shape="block" label="Loading accounts" />}
      {list === "failed" && <Failed onAgain={load} />}
      {list !== null && list !== "failed" && <Known list={list} onChange={load} />}
    </>
  );
}

/** Null: it is connected; else why not. */
async function connected({ provider, state, code }: CameBack): Promise<string | null> {
  try {
    const account = await api.connectAccount(provider, { state, code });
    toast(`Connected as ${account.login}`);
    return null;
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    return `Not connected: ${error.message}.`;
  }
}

function Failed({ onAgain }: { onAgain: () => void }) {
  return (
    <div class="settings-form">
      <p class="settings-problem" role="alert">
        Your accounts could not be loaded.
      </p>
      <Button onClick={onAgain}>Try again</Button>
    </div>
  );
}

function Known({ list, onChange }: { list: AccountList; onChange: () => void }) {
  const held = new Map(list.accounts.map((account) => [account.provider, account]));
  const shown = [...new Set([...list.offered, ...held.keys()])];
  if (shown.length === 0) {
    return <p class="settings-row-text">No code host is set up for this here.</p>;
  }
  return (
    <div class="settings-card">
      {shown.map((provider) => (
        <Row
          key={provider}
          {...{ provider, onChange }}
          account={held.get(provider) ?? null}
          offered={list.offered.includes(provider)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  provider: string;
  account: AccountView | null;
  offered: boolean;
  onChange: () => void;
}

function Row({ provider, account, offered, onChange }: RowProps) {
  const name = providerName(provider);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const connect = async () => {
    setBusy(true);
    const left = await attempt(`go to ${name}`, async () => {
      location.assign((await api.departToConnect(provider)).address);
    });
    if (!left) setBusy(false);
  };
  const disconnect = async () => {
    setBusy(true);
    await attempt(`disconnect ${name}`, () => api.disconnectAccount(provider));
    setBusy(false);
    setAsking(false);
    onChange();
  };
  const works = account !== null && account.tokens === "kept";
  return (
    <div class="settings-row">
      <div>
        <p>
          {name} {account && !works && <Badge tone="warn">Connect again</Badge>}
        </p>
        <p class="settings-row-text">{words(account)}</p>
      </div>
      <div class="settings-actions">
        {offered && !works && (
          <Button busy={busy} onClick={() => void connect()}>
            Connect {name}
          </Button>
        )}
        {account && (
          <Button kind="danger" onClick={() => setAsking(true)}>
            Disconnect
          </Button>
        )}
      </div>
      {asking && (
        <Confirm
          title={`Disconnect ${name}?`}
          text={`Nothing is done there in your name any more, and signing in by way of ${name} no longer leads to this user. Be sure of another way in.`}
          action="Disconnect"
          danger
          busy={busy}
          onConfirm={() => void disconnect()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function words(account: AccountView | null): string {
  if (account === null) return "Not connected: your pull requests are opened by hand.";
  if (account.tokens === "kept") return `Connected as ${account.login}`;
  return `Connected as ${account.login}, but nothing can be done there in your name.`;
}
