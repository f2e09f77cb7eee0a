/** The repositories of a session under a name, for other sessions. */

import { BookmarkPlus } from "lucide-preact";
import { useState } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../design/button";
import { toast } from "../../design/toast";
import type { SessionView } from "../../protocol";
import { repositoryName } from "../../shell/session-names";
import { SaveDialog } from "../../targets/save-dialog";
import "./save-target.css";

export function SaveTarget({ session }: { readonly session: SessionView }) {
  const [naming, setNaming] = useState(false);
  const { id, repositories } = session;
  if (repositories.length < 2) {
    return null;
  }
  return (
    <>
      <Button kind="quiet" class="save-target" icon={BookmarkPlus} onClick={() => setNaming(true)}>
        Save as an environment
      </Button>
      {naming && (
        <SaveDialog
          of={repositories.map(repositoryName).join(", ")}
          make={(words) => api.saveAsEnvironment(id, words)}
          onSaved={(made) => {
            setNaming(false);
            toast(`Saved as the environment “${made.name}”`);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
