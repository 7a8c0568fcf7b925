/** What is done with an inaugural document: handed in by its employee or for them, accepted, refused. */
import { isDay } from "../../../shared/domain/validate.ts";
import {
  DOCUMENT_FILES_MAX,
  type InauguralDocument,
} from "../../../shared/protocol/rest/documents.ts";
import { FILE_TYPES, UPLOAD_LIMITS } from "../../../shared/protocol/rest/files.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { formFields } from "../../components/form/kinds.ts";
import { useTexts } from "../../i18n/texts.ts";
import { serverNow, useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { DOCUMENT_TEXTS } from "./texts.ts";

export interface DocumentAct {
  readonly act: "handInOwn" | "handIn" | "accept" | "refuse";
  readonly document: InauguralDocument;
}

const RULES = {
  types: FILE_TYPES,
  files: DOCUMENT_FILES_MAX,
  megabytes: UPLOAD_LIMITS.megabytes,
  pictures: false,
};
const REASON_MAX = 200;
const EIGHT_HOURS = 8 * 3_600_000;

export function DocumentDialogs(props: DocumentAct & { readonly onClose: () => void }) {
  const { act, document, onClose } = props;
  const { employeeId, employeeName: name, title, dated, createTime: seen, files } = document;
  const kindId = document.kindId ?? "";
  const text = useTexts(DOCUMENT_TEXTS);
  const core = useCore();
  const { rest } = core.commands;
  // the companies are in China
  const today = new Date(serverNow(core) + EIGHT_HOURS).toISOString().slice(0, 10);
  const day = {
    key: "expiresOn",
    label: text("expiresOn"),
    input: "date",
    required: true,
    check: (value: string) => (!isDay(value) ? text("date") : value < today ? text("past") : null),
  } as const;
  const days = dated ? [day] : [];
  const expiresOn = document.expiresOn ?? "";
  const until = (value: string | undefined) => (dated ? { expiresOn: value ?? "" } : {});

  if (act === "refuse") {
    return (
      <FormDialog
        title={text("refuseTitle", { name, title })}
        okText={text("refuse")}
        fields={[
          {
            key: "reason",
            label: text("reason"),
            input: "area",
            required: true,
            max: REASON_MAX,
            hint: text("reasonHint"),
          },
        ]}
        values={{ reason: "" }}
        save={({ reason }) =>
          rest.call({
            call: "documents.decide",
            body: { employeeId, kindId, status: "refused", reason, seen },
          })
        }
        onClose={onClose}
        onSaved={() => showMessage("success", text("refusedDone"))}
      />
    );
  }
  if (act === "accept") {
    return (
      <FormDialog
        title={text("acceptTitle", { name, title })}
        okText={text("accept")}
        intro={<p>{text(files.length === 0 ? "paperHint" : "acceptHint")}</p>}
        fields={days}
        values={{ expiresOn }}
        save={(values) =>
          rest.call({
            call: "documents.decide",
            body: { employeeId, kindId, status: "accepted", ...until(values.expiresOn), seen },
          })
        }
        onClose={onClose}
        onSaved={() => showMessage("success", text("acceptedDone"))}
      />
    );
  }
  const own = act === "handInOwn";
  const fields = formFields([
    { key: "fileNames", label: text("files"), input: "files", rules: RULES, required: true },
    { ...day, shownWhen: () => dated },
  ]);
  return (
    <FormDialog
      title={own ? text("handInTitle", { title }) : text("handInForTitle", { name, title })}
      okText={text("handIn")}
      intro={<p>{text(own ? "handInHint" : "handInForHint")}</p>}
      fields={fields}
      values={{ fileNames: [], expiresOn }}
      save={(values) => {
        const handed = { kindId, fileNames: [...values.fileNames], ...until(values.expiresOn) };
        return own
          ? rest.call({ call: "documents.handInOwn", body: handed })
          : rest.call({ call: "documents.handIn", body: { ...handed, employeeId } });
      }}
      onClose={onClose}
      onSaved={() => showMessage("success", text("handedDone"))}
    />
  );
}
