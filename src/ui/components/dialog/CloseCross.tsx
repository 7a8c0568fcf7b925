/** The cross of a dialog or a drawer: the library's has an English name or none, and is too small for a finger. */
import { IconClose } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import "./dialog.css";

/** Its click counts for the library's place of the cross around it. */
export function CloseCross() {
  const { t } = useTranslation();
  return (
    <button type="button" className="dialog-cross" aria-label={t("common.close")}>
      <IconClose aria-hidden="true" />
    </button>
  );
}
