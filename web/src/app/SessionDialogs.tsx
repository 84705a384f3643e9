import { lazy, Suspense } from "react";
import { LabelDialog } from "./LabelDialog";
import { usePanels } from "./panels";

const DetailsDialog = lazy(() =>
  import("../panels/DetailsDialog").then((it) => ({ default: it.DetailsDialog })),
);

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
        <Suspense>
          <DetailsDialog nodeId={details} onClose={() => usePanels.setState({ details: null })} />
        </Suspense>
      )}
    </>
  );
}
