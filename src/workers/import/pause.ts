/** Not in every browser yet. */
interface TaskScheduler {
  postTask(task: () => void): Promise<void>;
}

/** @returns lets messages in: a timer would wait 4 ms or more; a task, or else a message, lets those in that came before it */
export function createPause(): () => Promise<void> {
  const { scheduler } = globalThis as { scheduler?: TaskScheduler };
  if (scheduler !== undefined) return () => scheduler.postTask(() => undefined);
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });
}
