/** A button of the header and the panel that opens below it. */
import { Trigger } from "@arco-design/web-react";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import "./header-panel.css";

export function HeaderPanel(props: {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly panel: ReactNode;
  /** The button. */
  readonly children: ReactElement;
}) {
  const { open } = props;
  return (
    <Trigger
      popupVisible={open}
      onVisibleChange={props.onOpen}
      trigger="click"
      position="br"
      popupAlign={{ bottom: 8 }}
      unmountOnExit
      popup={() => props.panel}
    >
      {cloneElement(props.children, { "aria-haspopup": "dialog", "aria-expanded": open } as object)}
    </Trigger>
  );
}
