/** The form of a bulletin. */
import { lazy, Suspense } from "react";
import { bulletinTextSchema, type BulletinText } from "../../../shared/protocol/rest/bulletins.ts";
import type { ControlProps, FormField } from "../../components/form/fields.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { StaleNote } from "../../components/form/StaleNote.tsx";
import { useVersions } from "../../components/form/stale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { tell } from "../../state/tell.ts";
import { BULLETIN_TEXTS } from "./texts.ts";

const RichEditor = lazy(() => retrying(() => import("../../components/rich-text/RichEditor.tsx")));

const control = (props: ControlProps) => (
  <Suspense fallback={<div className="rich-editor-loading" />}>
    <RichEditor {...props} />
  </Suspense>
);

type Fields = Pick<BulletinText, "noticeTitle" | "noticeType" | "status" | "noticeContent">;
const valuesOf = ({ noticeTitle, noticeType, status, noticeContent }: Fields) => ({
  noticeTitle,
  noticeType,
  status,
  noticeContent,
});
const NEW: Fields = { noticeTitle: "", noticeType: "1", status: "0", noticeContent: "" };
const fieldsOf = (values: Readonly<Record<string, string>>): Partial<Fields> => ({
  ...(values["noticeTitle"] === undefined ? {} : { noticeTitle: values["noticeTitle"] }),
  ...(values["noticeType"] === undefined
    ? {}
    : { noticeType: values["noticeType"] === "2" ? "2" : "1" }),
  ...(values["status"] === undefined ? {} : { status: values["status"] === "0" ? "0" : "1" }),
  ...(values["noticeContent"] === undefined ? {} : { noticeContent: values["noticeContent"] }),
});

export default function BulletinDialog(props: {
  readonly bulletin: BulletinText | null;
  readonly onClose: () => void;
}) {
  const { bulletin } = props;
  const text = useTexts(BULLETIN_TEXTS);
  const { rest } = useCore().commands;
  const options = (
    pairs: readonly (readonly [string, "notice" | "announcement" | "published" | "draft"])[],
  ) => pairs.map(([value, key]) => ({ value, label: text(key) }));
  const types = options([
    ["1", "notice"],
    ["2", "announcement"],
  ]);
  const states = options([
    ["0", "published"],
    ["1", "draft"],
  ]);
  const fields: readonly FormField[] = [
    { key: "noticeTitle", label: text("name"), required: true, max: 100 },
    { key: "noticeType", label: text("type"), input: "select", required: true, options: types },
    { key: "status", label: text("status"), input: "select", required: true, options: states },
    { key: "noticeContent", label: text("content"), required: true, control },
  ];
  const versions = useVersions(bulletin, {
    fields,
    values: valuesOf,
    parse: (theirs) => bulletinTextSchema.parse(theirs),
    read: (key, value) =>
      key === "noticeContent"
        ? text("contentChanged")
        : ([...types, ...states].find((option) => option.value === value && key !== "noticeTitle")
            ?.label ?? value),
  });
  return (
    <FormDialog
      wide
      title={text(bulletin === null ? "create" : "edit")}
      intro={<StaleNote changes={versions.changes} />}
      fields={fields}
      values={valuesOf(bulletin ?? NEW)}
      save={(values, changed) =>
        bulletin === null
          ? rest.call({ call: "bulletins.create", body: { ...NEW, ...fieldsOf(values) } })
          : versions.save((version) =>
              rest.call({
                call: "bulletins.update",
                body: { noticeId: bulletin.noticeId, version, ...fieldsOf(changed) },
              }),
            )
      }
      onClose={props.onClose}
      onSaved={() => tell("success", text("saved"))}
    />
  );
}
