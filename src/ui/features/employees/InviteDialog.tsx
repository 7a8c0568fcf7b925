/** Makes a link by which one person may apply to the company. */
import { Button, Input, Modal } from "@arco-design/web-react";
import { useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell, tellError } from "../../state/tell.ts";
import { EMPLOYEE_TEXTS } from "./texts.ts";
import { useTranslation } from "react-i18next";
import "./employees.css";

const HOURS = { least: 1, most: 720, usual: 72 };

interface Invitation {
  readonly link: string;
  readonly expiresAt: string;
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  const { rest } = useCore().commands;
  const [made, setMade] = useState<Invitation | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  if (made !== null) {
    return (
      <Modal
        visible
        title={text("invite")}
        className="form-dialog"
        footer={null}
        onCancel={onClose}
      >
        <div className="employee-link">
          <Input readOnly value={made.link} aria-label={text("link")} />
          <p>{text("expires", { time: formatDate(Date.parse(made.expiresAt)) })}</p>
          <div className="form-buttons">
            <Button
              type="primary"
              onClick={() =>
                void navigator.clipboard
                  .writeText(made.link)
                  .then(() => tell("success", text("copied")), tellError)
              }
            >
              {text("copy")}
            </Button>
          </div>
        </div>
      </Modal>
    );
  }
  const whole = (value: string): string | null =>
    /^\d{1,3}$/.test(value) && Number(value) >= HOURS.least && Number(value) <= HOURS.most
      ? null
      : text("hoursWrong");
  return (
    <FormDialog
      title={text("invite")}
      intro={<p>{text("inviteHint")}</p>}
      okText={text("inviteMake")}
      fields={[
        { key: "department", label: t("employees.fields.department"), max: 100 },
        { key: "position", label: t("employees.fields.position"), max: 100 },
        { key: "hours", label: text("hours"), input: "number", required: true, check: whole },
      ]}
      values={{ department: "", position: "", hours: String(HOURS.usual) }}
      save={async ({ department = "", position = "", hours }) => {
        const body = { department, position, expiresInHours: Number(hours) };
        const { link, expiresAt } = await rest.call({ call: "employees.invite", body });
        setMade({ link: new URL(link, location.origin).href, expiresAt });
      }}
      onClose={onClose}
      keepOpen
    />
  );
}
