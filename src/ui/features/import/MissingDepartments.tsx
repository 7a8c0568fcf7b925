/** Departments that the file names and the company does not have: the person may create them (docs/import.md#departments). */
import { Alert, Button, Checkbox } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Snapshot } from "valtio";
import type { Checked } from "../../../shared/protocol/import-worker.ts";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { useOnce } from "../../components/form/useOnce.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useMay } from "../../state/may.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import type { WantedDepartment } from "./new-departments.ts";

type Missing = Snapshot<Checked["missing"]>;

/** Departments that the line names. */
const NAMED = 5;

export function MissingDepartments(props: {
  readonly missing: Missing;
  readonly onCreate: (wanted: readonly WantedDepartment[]) => Promise<void>;
}) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const { missing } = props;
  if (missing.length === 0) return null;
  const named = missing
    .slice(0, NAMED)
    .map(({ path, rows }) => text("missingOne", { path, count: rows }))
    .join(t("imports.check.comma"));
  const more = missing.length > NAMED ? text("missingMore") : "";
  const mayCreate = may("departments.create");
  return (
    <>
      <Alert
        type="warning"
        data-testid="import-missing"
        content={
          <>
            {text("missing", { count: missing.length, named: `${named}${more}` })}
            {!mayCreate && <span className="import-hint"> {text("missingDenied")}</span>}
          </>
        }
        action={
          mayCreate && (
            <Button size="mini" type="primary" onClick={() => setAsking(true)}>
              {text("missingCreate")}
            </Button>
          )
        }
      />
      {asking && (
        <CreateDialog
          missing={missing}
          onCreate={props.onCreate}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function CreateDialog(props: {
  readonly missing: Missing;
  readonly onCreate: (wanted: readonly WantedDepartment[]) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  // What stays when a check elsewhere shortens the list.
  const [missing] = useState(props.missing);
  // A department that resembles an existing one is probably a slip of the pen.
  const [chosen, setChosen] = useState<readonly string[]>(
    missing.flatMap(({ path, meant }) => (meant === null ? [path] : [])),
  );
  const [busy, setBusy] = useState(false);
  useFocusBack(() => document.querySelector<HTMLElement>(".import-grid"));
  const create = useOnce(async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await props.onCreate(missing.filter(({ path }) => chosen.includes(path)));
      showMessage("success", text("missingDone"));
    } catch (error) {
      showError(error);
    }
    props.onClose();
  });
  return (
    <Dialog
      visible
      title={text("missingTitle")}
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <p className="import-hint">{text("missingIntro")}</p>
      <ul className="import-missing">
        {missing.map(({ path, rows, meant }) => (
          <li key={path}>
            <Checkbox
              checked={chosen.includes(path)}
              onChange={(wanted) =>
                setChosen(wanted ? [...chosen, path] : chosen.filter((one) => one !== path))
              }
            >
              {text("missingOne", { path, count: rows })}
            </Checkbox>
            {meant !== null && (
              <span className="import-hint">{text("missingMeant", { name: meant })}</span>
            )}
          </li>
        ))}
      </ul>
      <div className="import-actions">
        <Button onClick={props.onClose}>{t("common.cancel")}</Button>
        <Button
          type="primary"
          loading={busy}
          disabled={chosen.length === 0}
          onClick={() => void create()}
        >
          {text("missingOk", { count: chosen.length })}
        </Button>
      </div>
    </Dialog>
  );
}
