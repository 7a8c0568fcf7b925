/** Direction and kind of a past call: an arrow, whose meaning is its title, and the media. */
import { IconArrowRise } from "@arco-design/web-react/icon";
import "./call-kind.css";

export function CallKind(props: {
  readonly incoming: boolean;
  readonly direction: string;
  readonly children: string;
}) {
  return (
    <span className="call-kind" title={`${props.direction} · ${props.children}`}>
      <IconArrowRise
        className={props.incoming ? "call-kind-in" : "call-kind-out"}
        aria-hidden="true"
      />
      <span className="visually-hidden">{props.direction} · </span>
      <span className="ellipsis">{props.children}</span>
    </span>
  );
}
