/** How one is called here, and whom git names as the author of one's work. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Avatar } from "../design/avatar";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { toast } from "../design/toast";
import type { Me } from "../protocol";
import { leave } from "../shell/sign-out";
import { me } from "../shell/workspace";
import { Accounts } from "./accounts";
import { OtherBrowser } from "./other-browser";
import { SignOutEverywhere } from "./sign-out-everywhere";

export function ProfileSection() {
  const who = me.value;
  if (!who) return null;
  return (
    <>
      <div class="profile-head">
        <Avatar name={who.displayName} size="large" />
        <div>
          <p class="profile-name">{who.displayName}</p>
          <p class="settings-row-text">
            {who.name} · {who.role}
          </p>
        </div>
      </div>
      <ProfileForm who={who} />
      <h3 class="settings-subtitle">Accounts</h3>
      <p class="settings-text">
        As whom your pull requests are opened, and by way of whom you may sign in.
      </p>
      <Accounts />
      <h3 class="settings-subtitle">Another browser</h3>
      <p class="settings-text">
        A link signs one in as you, once, for ten minutes. Open it there, and show it to nobody.
      </p>
      <OtherBrowser />
      <h3 class="settings-subtitle">This browser</h3>
      <p class="settings-text">Signing out ends this browser's login and no other.</p>
      <Button onClick={() => void leave()}>Sign out</Button>
      <SignOutEverywhere />
    </>
  );
}

function ProfileForm({ who }: { who: Me }) {
  const [name, setName] = useState(who.displayName);
  const [email, setEmail] = useState(who.email ?? "");
  const [refused, setRefused] = useState<api.ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const same = name === who.displayName && email === (who.email ?? "");
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      me.value = await api.changeProfile({ displayName: name.trim(), email: email.trim() || null });
      setRefused(null);
      toast("Profile saved");
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      setRefused(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="settings-form" onSubmit={save}>
      <Field
        label="Display name"
        value={name}
        onInput={setName}
        maxLength={100}
        autoComplete="name"
        error={problem(refused, "displayName")}
      />
      <Field
        label="E-mail"
        type="email"
        value={email}
        onInput={setEmail}
        maxLength={254}
        autoComplete="email"
        placeholder={`${who.name}@users.outboard.invalid`}
        hint="Git names you and this address as the author of what comes of your prompts."
        error={problem(refused, "email")}
      />
      <div class="settings-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={same || !name.trim()}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** Of that field; what is about none is said at the first. */
function problem(refused: api.ApiError | null, field: string): string | null {
  if (!refused) return null;
  const about = refused.field?.includes("email") ? "email" : "displayName";
  return about === field ? refused.message : null;
}
