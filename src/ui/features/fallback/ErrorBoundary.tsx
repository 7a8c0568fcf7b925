/** Shows an error page in place of a page that throws; the frame, the call and the other pages continue. */
import type { ComponentType, ReactNode } from "react";
import { Boundary, type Failure } from "../../components/Boundary.tsx";
import { CrashedPage, StalePage } from "./pages.tsx";

type Fallback = ComponentType<{ readonly onRetry: () => void }>;

export function ErrorBoundary(props: {
  readonly children: ReactNode;
  /** Shown instead of the error page. */
  readonly fallback?: Fallback;
  readonly onCrash?: () => void;
}) {
  const show = ({ stale }: Failure, onRetry: () => void): ReactNode => {
    const Instead: Fallback = props.fallback ?? (stale ? StalePage : CrashedPage);
    return <Instead onRetry={onRetry} />;
  };
  return (
    <Boundary instead={show} onFailure={() => props.onCrash?.()}>
      {props.children}
    </Boundary>
  );
}
