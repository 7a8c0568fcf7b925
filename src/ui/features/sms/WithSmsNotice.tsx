/** A page that fills its area, below the notice of a missing SMS service. */
import type { ReactNode } from "react";
import { SmsNotice } from "./SmsNotice.tsx";

export function WithSmsNotice({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sms-page">
      <SmsNotice />
      {children}
    </div>
  );
}
