/** Writes the first prompt of a session: what, on what, by which model. */
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { ModelPicker, offeredChoice } from "../composer/model-picker";
import { PromptBox } from "../composer/prompt-box";
import { Skeleton } from "../design/skeleton";
import { toast } from "../design/toast";
import { models, repositories } from "../shell/workspace";
import { draft, draftImages, lastModel, lastTarget, setDraft } from "./draft";
import { leaveFor } from "./leaving";
import { initialTarget, newRepository, type Target } from "./target";
import { TargetPicker } from "./target-picker";
import { type Choice, createWarming, tabMemory, type Warming } from "./warming";

interface Props {
  field: RefObject<HTMLTextAreaElement>;
}

const NO_TARGET = "Choose a repository first";

export function Composer({ field }: Props) {
  const uploads = draftImages;
  const images = uploads.all.value.length;
  const warming = useMemo(() => createWarming(api, tabMemory, api.newRequestId), []);
  const [busy, setBusy] = useState(false);
  /** Enter came before what may be chosen did: it is sent when that is there. */
  const [early, setEarly] = useState(false);
  const typed = useRef(false);
  const { target, choice, loading } = useChoice(warming);

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
    } finally {
      setBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the choices have come.
  useEffect(() => {
    if (early && !loading) void send();
  }, [early, loading]);
  return (
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
      choices={<Choices target={target} />}
    />
  );
}

interface Chosen {
  target: Target | null;
  choice: Choice | null;
  /** What may be chosen is not known yet. */
  loading: boolean;
}

/** What is chosen, told to the session that is being prepared whenever it changes. */
function useChoice(warming: Warming): Chosen {
  const known = repositories.value;
  const offered = models.value;
  const target = known && initialTarget(lastTarget.value, known);
  const model = offered && offeredChoice(offered, lastModel.value);
  const choice = target &&
    known &&
    offered && {
      repository: newRepository(target, known),
      model: model?.model ?? null,
      effort: model?.effort ?? null,
    };
  const shape = JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the choice is another one.
  useEffect(() => {
    if (choice) warming.choose(choice);
  }, [shape, warming]);
  return { target, choice, loading: !known || !offered };
}

function Choices({ target }: { target: Target | null }) {
  const offered = models.value;
  if (!repositories.value || !offered) return <Skeleton lines={1} label="Loading choices" />;
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
