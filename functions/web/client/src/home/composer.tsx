/** Writes the first prompt of a session: what, on what, by which model. */
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { ModelPicker, offeredChoice } from "../composer/model-picker";
import { PromptBox } from "../composer/prompt-box";
import { Skeleton } from "../design/skeleton";
import { toast } from "../design/toast";
import { models, repositories } from "../shell/workspace";
import { environments, environmentsProblem, loadEnvironments } from "../targets/environments";
import { draft, draftImages, lastModel, lastTarget, setDraft } from "./draft";
import { GoneNote } from "./gone-note";
import { leaveFor } from "./leaving";
import { type Initial, initialTarget, type Target, workOn } from "./target";
import { TargetPicker } from "./target-picker";
import { type Choice, createWarming, tabMemory, type Warming } from "./warming";

interface Props {
  field: RefObject<HTMLTextAreaElement>;
}

const NOT_YET: Initial = { target: null, gone: null };
const NO_TARGET = "Choose a repository first";

export function Composer({ field }: Props) {
  const uploads = draftImages;
  const images = uploads.all.value.length;
  const warming = useMemo(() => createWarming(api, tabMemory, api.newRequestId), []);
  const [busy, setBusy] = useState(false);
  /** Enter came before what may be chosen did: it is sent when that is there. */
  const [early, setEarly] = useState(false);
  const typed = useRef(false);
  const { target, gone, choice, loading } = useChoice(warming);

  useEffect(() => void loadEnvironments(), []);

  useEffect(() => {
    if ((images > 0 || typed.current) && choice) warming.begin(choice);
  }, [images, choice, warming]);
  const write = (text: string) => {
    setDraft(text);
    setEarly(false);
    typed.current = text.trim() !== "";
    if (typed.current && choice) warming.begin(choice);
  };
  const send = async () => {
    setEarly(loading);
    if (!choice) {
      if (!loading) toast(NO_TARGET);
      return;
    }
    setBusy(true);
    try {
      const session = await warming.open(choice);
      typed.current = false;
      warming.release();
      leaveFor(session, choice, draft.value.trim(), uploads.take());
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      toast(`The session could not be opened: ${error.message}`, { tone: "bad" });
      // It may have been deleted: then another target is shown.
      if (target?.kind === "environment") void loadEnvironments();
    } finally {
      setBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the choices have come.
  useEffect(() => {
    if (!early || loading) return;
    // What it would work on now is not what it was sent for.
    if (gone !== null) setEarly(false);
    else void send();
  }, [early, loading]);
  return (
    <>
      <PromptBox
        label="What should be worked on?"
        placeholder="Describe a task, or ask about the code"
        size="large"
        autoFocus
        {...{ field, uploads }}
        busy={busy || early}
        text={draft.value}
        onText={write}
        submitLabel="Start the session"
        blocked={choice || loading ? null : NO_TARGET}
        onSubmit={() => void send()}
        choices={<Choices target={target} loading={loading} />}
      />
      <GoneNote name={gone} target={target} />
    </>
  );
}

interface Chosen {
  target: Target | null;
  /** The name of an environment that was chosen and is deleted. */
  gone: string | null;
  choice: Choice | null;
  /** What may be chosen is not known yet. */
  loading: boolean;
}

/** What is chosen, told to the session that is being prepared whenever it changes. */
function useChoice(warming: Warming): Chosen {
  const known = repositories.value;
  const offered = models.value;
  const there = environments.value;
  const unsure =
    lastTarget.value?.kind === "environment" && !there && environmentsProblem.value === null;
  const { target, gone } =
    known && !unsure ? initialTarget(lastTarget.value, known, there) : NOT_YET;
  const model = offered && offeredChoice(offered, lastModel.value);
  const choice = target &&
    known &&
    offered && {
      work: workOn(target, known, there),
      model: model?.model ?? null,
      effort: model?.effort ?? null,
    };
  const shape = JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the choice is another one.
  useEffect(() => {
    if (choice) warming.choose(choice);
  }, [shape, warming]);
  return { target, gone, choice, loading: !known || !offered || unsure };
}

function Choices({ target, loading }: { target: Target | null; loading: boolean }) {
  const offered = models.value;
  if (loading || !repositories.value || !offered)
    return <Skeleton lines={1} label="Loading choices" />;
  return (
    <>
      <TargetPicker
        known={repositories.value}
        target={target}
        onChange={(chosen) => {
          lastTarget.value = chosen;
        }}
      />
      <ModelPicker
        models={offered}
        choice={offeredChoice(offered, lastModel.value)}
        onChange={(chosen) => {
          lastModel.value = chosen;
        }}
      />
    </>
  );
}
