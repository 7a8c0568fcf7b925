/** A page that fills its area, below the notice of a missing SMS service and how many SMS were sent. */
import { lazy, type ReactNode, Suspense } from "react";
import { retrying } from "../../state/retrying.ts";
import { SmsNotice } from "./SmsNotice.tsx";

const SmsUse = lazy(() => retrying(() => import("./SmsUse.tsx")));

export function WithSmsNotice(props: {
  /** The page is about sending SMS. */
  readonly usage?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="sms-page">
      <SmsNotice />
      {props.usage === true && (
        <Suspense fallback={null}>
          <SmsUse />
        </Suspense>
      )}
      {props.children}
    </div>
  );
}
