/** A question before something that is not easily taken back. */
import { Button } from "./button";
import { Dialog } from "./dialog";

interface Props {
  title: string;
  text: string;
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ title, text, action, danger = false, busy = false, ...on }: Props) {
  const actions = (
    <>
      <Button onClick={on.onClose}>Cancel</Button>
      <Button kind={danger ? "danger" : "primary"} busy={busy} autoFocus onClick={on.onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={on.onClose} actions={actions}>
      <p>{text}</p>
    </Dialog>
  );
}
