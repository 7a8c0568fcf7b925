/** Makes links by each of which one person joins the company. */
import { Button, Input } from "@arco-design/web-react";
import { useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { QrCode } from "../../components/QrCode.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell, tellError } from "../../state/tell.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { EMPLOYEE_TEXTS } from "./texts.ts";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import "./employees.css";

const HOURS = { least: 1, most: 720, usual: 72 };
const LINKS = { least: 1, most: 50, usual: 1 };

interface Invitations {
  readonly links: readonly string[];
  readonly expiresAt: string;
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  const more = useTexts(DIALOG_TEXTS);
  const { rest } = useCore().commands;
  const [made, setMade] = useState<Invitations | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  if (made !== null) {
    return (
      <Dialog
        visible
        title={text("invite")}
        className="form-dialog"
        footer={null}
        onCancel={onClose}
      >
        <div className="employee-link">
          {made.links.length === 1 ? (
            <>
              <QrCode text={made.links[0] ?? ""} label={more("linkPicture")} />
              <Input readOnly value={made.links[0] ?? ""} aria-label={more("link")} />
            </>
          ) : (
            <Input.TextArea
              readOnly
              value={made.links.join("\n")}
              aria-label={more("link")}
              rows={8}
            />
          )}
          <p>{more("linkHint")}</p>
          <p>{more("expires", { time: formatDate(Date.parse(made.expiresAt)) })}</p>
          <div className="form-buttons">
            <Button
              type="primary"
              onClick={() =>
                void navigator.clipboard
                  .writeText(made.links.join("\n"))
                  .then(() => tell("success", more("copied")), tellError)
              }
            >
              {more("copy")}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  const whole =
    (range: typeof HOURS, wrong: string) =>
    (value: string): string | null =>
      /^\d{1,3}$/.test(value) && Number(value) >= range.least && Number(value) <= range.most
        ? null
        : wrong;
  return (
    <FormDialog
      title={text("invite")}
      intro={<p>{more("inviteHint")}</p>}
      okText={more("inviteMake")}
      fields={[
        { key: "department", label: t("employees.fields.department"), max: 100 },
        { key: "position", label: t("employees.fields.position"), max: 100 },
        {
          key: "hours",
          label: more("hours"),
          input: "number",
          required: true,
          check: whole(HOURS, more("hoursWrong")),
        },
        {
          key: "count",
          label: more("linkCount"),
          input: "number",
          required: true,
          check: whole(LINKS, more("linkCountWrong")),
        },
      ]}
      values={{
        department: "",
        position: "",
        hours: String(HOURS.usual),
        count: String(LINKS.usual),
      }}
      save={async ({ department = "", position = "", hours, count }) => {
        const body = { department, position, expiresInHours: Number(hours) };
        const answers = await Promise.all(
          Array.from({ length: Number(count) }, () =>
            rest.call({ call: "employees.invite", body }),
          ),
        );
        setMade({
          links: answers.map(({ link }) => new URL(link, location.origin).href),
          expiresAt: answers[0]?.expiresAt ?? "",
        });
      }}
      onClose={onClose}
      keepOpen
    />
  );
}
