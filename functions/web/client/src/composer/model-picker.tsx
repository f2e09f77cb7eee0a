/** Which model answers, and how hard it thinks. */
import { Gauge, Sparkles } from "lucide-preact";
import { Icon } from "../design/icon";
import type { Side } from "../design/place";
import { Select } from "../design/select";
import type { ModelList, ModelView } from "../protocol";

export interface ModelChoice {
  model: string;
  /** null: the model has none, or its own default. */
  effort: string | null;
}

interface Props {
  models: ModelList;
  choice: ModelChoice;
  onChange: (choice: ModelChoice) => void;
  side?: Side;
}

export function ModelPicker({ models, choice, onChange, side = "below-start" }: Props) {
  const chosen = models.models.find((each) => each.id === choice.model);
  const efforts = chosen?.efforts ?? [];
  return (
    <>
      <Select
        label="Model"
        side={side}
        icon={<Icon of={Sparkles} size={14} />}
        options={models.models.map((each) => ({ value: each.id, label: each.label }))}
        value={choice.model}
        onChange={(model) => onChange({ model, effort: fitting(models, model, choice.effort) })}
      />
      {efforts.length > 0 && (
        <Select
          label="Effort"
          side={side}
          icon={<Icon of={Gauge} size={14} />}
          placeholder="Default effort"
          options={efforts.map((effort) => ({ value: effort, label: capital(effort) }))}
          value={choice.effort ?? chosen?.defaultEffort ?? null}
          onChange={(effort) => onChange({ ...choice, effort })}
        />
      )}
    </>
  );
}

/** What is remembered may be of a model that is not offered any more. */
export function offeredChoice(models: ModelList, wanted: ModelChoice | null): ModelChoice {
  const known = models.models.some((each) => each.id === wanted?.model);
  const model = wanted && known ? wanted.model : models.default;
  return { model, effort: fitting(models, model, wanted?.effort ?? null) };
}

/** The same effort where the model has it, else its own. */
function fitting(models: ModelList, id: string, effort: string | null): string | null {
  const model: ModelView | undefined = models.models.find((each) => each.id === id);
  if (!model) return null;
  return effort && model.efforts.includes(effort) ? effort : model.defaultEffort;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
