/** The form of a bulletin. */
import { bulletinTextSchema, type BulletinText } from "../../../shared/protocol/rest/bulletins.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { versionsOf } from "../../components/form/versions.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { BULLETIN_TEXTS } from "./texts.ts";

type Fields = Pick<BulletinText, "noticeTitle" | "noticeType" | "status" | "noticeContent">;
const NEW: Fields = { noticeTitle: "", noticeType: "1", status: "0", noticeContent: "" };
/** Whether it is published is a switch of the form. */
const valuesOf = ({ noticeTitle, noticeType, status, noticeContent }: Fields) => ({
  noticeTitle,
  noticeType,
  published: status === "0",
  noticeContent,
});
const typeOf = (value: string): Fields["noticeType"] => (value === "2" ? "2" : "1");
const statusOf = (published: boolean): Fields["status"] => (published ? "0" : "1");

export default function BulletinDialog(props: {
  readonly bulletin: BulletinText | null;
  readonly onClose: () => void;
}) {
  const { bulletin } = props;
  const text = useTexts(BULLETIN_TEXTS);
  const { rest } = useCore().commands;
  return (
    <FormDialog
      wide
      title={text(bulletin === null ? "create" : "edit")}
      fields={[
        { key: "noticeTitle", label: text("name"), required: true, max: 100 },
        {
          key: "noticeType",
          label: text("type"),
          input: "select",
          required: true,
          options: [
            { value: "1", label: text("notice") },
            { value: "2", label: text("announcement") },
          ],
        },
        {
          key: "published",
          label: text("published"),
          input: "switch",
          hint: text("publishedHint"),
        },
        { key: "noticeContent", label: text("content"), input: "rich", required: true },
      ]}
      values={valuesOf(bulletin ?? NEW)}
      versions={versionsOf(bulletin, {
        id: ({ noticeId }) => noticeId,
        parse: (theirs) => bulletinTextSchema.parse(theirs),
        values: valuesOf,
      })}
      save={(values, { noticeType, published, ...texts }, version) =>
        bulletin === null
          ? rest.call({
              call: "bulletins.create",
              body: {
                noticeTitle: values.noticeTitle,
                noticeType: typeOf(values.noticeType),
                status: statusOf(values.published),
                noticeContent: values.noticeContent,
              },
            })
          : rest.call({
              call: "bulletins.update",
              body: {
                noticeId: bulletin.noticeId,
                version,
                ...texts,
                ...(noticeType === undefined ? {} : { noticeType: typeOf(noticeType) }),
                ...(published === undefined ? {} : { status: statusOf(published) }),
              },
            })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("saved"))}
    />
  );
}
