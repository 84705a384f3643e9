import { inDialog } from "../ui/Dialog";
import { part } from "../ui/Part";
import { LabelDialog } from "./LabelDialog";
import { usePanels } from "./panels";

const DetailsDialog = part(() => import("../panels/DetailsDialog").then((it) => it.DetailsDialog), inDialog);

/** The dialogs of an open conversation that several parts of the page open. */
export function SessionDialogs() {
  const labelling = usePanels((it) => it.labelling);
  const details = usePanels((it) => it.details);
  return (
    <>
      {labelling !== null && (
        <LabelDialog nodeId={labelling} onClose={() => usePanels.setState({ labelling: null })} />
      )}
      {details !== null && (
        <DetailsDialog nodeId={details} onClose={() => usePanels.setState({ details: null })} />
      )}
    </>
  );
}
