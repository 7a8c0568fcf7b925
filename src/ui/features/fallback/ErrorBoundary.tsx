/** Shows an error page in place of a page that throws; the frame, the call and the other pages continue. */
import { Component, type ComponentType, type ErrorInfo, type ReactNode } from "react";
import { reportError } from "../../state/errors.ts";
import { ServicesContext } from "../../state/services.ts";
import { CrashedPage, StalePage } from "./pages.tsx";

/** What browsers and the bundler say about code that the server does not have. */
const STALE = /dynamically imported module|Importing a module|Unable to preload CSS/i;

interface State {
  readonly failed: boolean;
  readonly stale: boolean;
}

interface Props {
  readonly children: ReactNode;
  /** Shown instead of the error page. */
  readonly fallback?: ComponentType<{ readonly onRetry: () => void }>;
  readonly onCrash?: () => void;
}

export class ErrorBoundary extends Component<Props, State> {
  static override contextType = ServicesContext;
  declare context: React.ContextType<typeof ServicesContext>;
  override state: State = { failed: false, stale: false };

  static getDerivedStateFromError(error: unknown): State {
    // The page belongs to an older build and is gone from the server; only a reload loads the new build.
    const text = error instanceof Error ? error.message : "";
    return { failed: true, stale: STALE.test(text) };
  }

  private readonly retry = (): void => {
    if (this.state.stale) location.reload();
    else this.setState({ failed: false, stale: false });
  };

  override componentDidCatch(error: unknown, _info: ErrorInfo): void {
    this.props.onCrash?.();
    if (this.context !== null) reportError(this.context.core, error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const Fallback = this.props.fallback ?? (this.state.stale ? StalePage : CrashedPage);
    return <Fallback onRetry={this.retry} />;
  }
}
