/** A page that fills its area, below the notice of a missing SMS service and how many SMS were sent. */
import type { ReactNode } from "react";
import { PageFallback } from "../../loading/PageFallback.tsx";
import { MissingSms } from "./SmsNotice.tsx";
import { SmsUse } from "./SmsUse.tsx";
import { useSmsSender } from "./useSmsSender.ts";

export function WithSmsNotice(props: {
  /** The page is about sending SMS. */
  readonly usage?: boolean;
  readonly children: ReactNode;
}) {
  const sender = useSmsSender();
  return (
    <div className="sms-page" data-waits={sender === null}>
      {/* What comes with the notice or without it is read meanwhile, and shown at its place at once. */}
      {sender === null && <PageFallback />}
      {sender === false && <MissingSms />}
      {props.usage === true && <SmsUse />}
      {props.children}
    </div>
  );
}
