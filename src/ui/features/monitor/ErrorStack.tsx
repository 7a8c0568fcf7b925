/** The stack of one error, the innermost frame first. */
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { MONITOR_TEXTS } from "./texts.ts";
import "./monitor.css";

export function ErrorStack({ stack }: { readonly stack: string }) {
  const text = useTexts(MONITOR_TEXTS);
  if (stack === "") return <p className="audit-none">{text("noStack")}</p>;
  return (
    <section className="error-stack">
      <h3>{text("stack")}</h3>
      <ScrollBox>
        <pre>{stack}</pre>
      </ScrollBox>
    </section>
  );
}
