/** The ring of running imports. */
import { Progress } from "@arco-design/web-react";
import "@arco-design/web-react/es/Progress/style/css.js";

/** @param props.percent 0 to 100 */
export function ImportRing(props: { readonly percent: number; readonly failed: boolean }) {
  return (
    <Progress
      type="circle"
      size="mini"
      percent={props.percent}
      status={props.failed ? "error" : "normal"}
      showText={false}
      aria-hidden="true"
    />
  );
}
