/** Catches what a part of the console throws, reports it, and lets something else stand in its place. */
import { Children, Component, type ReactNode } from "react";
import { reportError } from "../state/errors.ts";
import { ServicesContext } from "../state/services.ts";

/** What browsers and the bundler say about code that the server does not have. */
const STALE = /dynamically imported module|Importing a module|Unable to preload CSS/i;

export interface Failure {
  /** The code belongs to an older build and is gone from the server; only a reload loads the new build. */
  readonly stale: boolean;
}

interface Props {
  readonly children: ReactNode;
  readonly instead: (failure: Failure, retry: () => void) => ReactNode;
  readonly onFailure?: (failure: Failure) => void;
}

interface State {
  readonly failure: Failure | null;
}

export class Boundary extends Component<Props, State> {
  static override contextType = ServicesContext;
  declare context: React.ContextType<typeof ServicesContext>;
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    const text = error instanceof Error ? error.message : "";
    return { failure: { stale: STALE.test(text) } };
  }

  /** What failed is closed, so that what is opened next gets its own attempt. */
  static getDerivedStateFromProps({ children }: Props, { failure }: State): State | null {
    return failure !== null && Children.toArray(children).length === 0 ? { failure: null } : null;
  }

  private readonly retry = (): void => {
    if (this.state.failure?.stale === true) location.reload();
    else this.setState({ failure: null });
  };

  override componentDidCatch(error: unknown): void {
    if (this.context !== null) reportError(this.context.core, error);
    const { failure } = this.state;
    if (failure !== null) this.props.onFailure?.(failure);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : this.props.instead(failure, this.retry);
  }
}
