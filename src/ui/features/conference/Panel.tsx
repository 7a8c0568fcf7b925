/** A panel beside the stage. Its close button and Escape close it. */
import { Button } from "@arco-design/web-react";
import { IconClose } from "@arco-design/web-react/icon";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export function Panel(props: {
  readonly label: string;
  readonly title: string;
  readonly action?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <section className="conference-panel" aria-label={props.label}>
      <header>
        <h2>{props.title}</h2>
        {props.action}
        <Button
          type="text"
          size="small"
          icon={<IconClose />}
          aria-label={t("conference.bar.closePanel")}
          onClick={props.onClose}
        />
      </header>
      {props.children}
    </section>
  );
}
