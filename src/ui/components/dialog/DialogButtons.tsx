/** The row of buttons at the end of a dialog. */
import type { ReactNode } from "react";
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";

/** Of a dialog that is a form: cancel, and the button that submits it. Both wait while `busy`. */
export function SubmitButtons(props: {
  readonly label: string;
  readonly busy: boolean;
  readonly onCancel: () => void;
}) {
  const { t } = useTranslation();
  return (
    <footer className="form-buttons">
      <Button onClick={props.onCancel} disabled={props.busy}>
        {t("common.cancel")}
      </Button>
      <Button type="primary" htmlType="submit" loading={props.busy}>
        {props.label}
      </Button>
    </footer>
  );
}

/** Of a dialog that shows something: close, and further buttons. */
export function CloseButtons(props: {
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <footer className="form-buttons">
      <Button onClick={props.onClose}>{t("common.close")}</Button>
      {props.children}
    </footer>
  );
}
