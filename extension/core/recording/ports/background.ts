import type { BackgroundShell } from '../../ports/background-shell.ts';
import type { SessionOutputs } from '../../ports/session-outputs.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import { neverCalled, type PortInterceptor } from '../port-interceptor.ts';

/** Intercepts the commands in the background. */
export function boundBackground(shell: BackgroundShell, exchange: PortInterceptor): BackgroundShell {
  return {
    start: (command) => exchange.call('background.start', [command], () => shell.start(command)),
    release: (process) => exchange.call('background.release', [process], () => shell.release(process)),
    ended: (process, signal) =>
      exchange.call('background.ended', [process], () => shell.ended(process, signal)),
    read: (process, from, most) =>
      exchange.call('background.read', [process, from, most], () => shell.read(process, from, most)),
    stop: (process) => exchange.call('background.stop', [process], () => shell.stop(process)),
    leave: (process) => exchange.call('background.leave', [process], () => shell.leave(process)),
  };
}

/** Intercepts the files of long outputs. A replay writes none. */
export function boundOutputs(
  outputs: NonNullable<SessionPorts['outputs']>,
  exchange: PortInterceptor,
): NonNullable<SessionPorts['outputs']> {
  return (session) => {
    const own = () => outputs(session);
    return {
      get folder() {
        return exchange.read('outputs.folder', () => own().folder);
      },
      fileFor: (name) => exchange.read('outputs.fileFor', () => own().fileFor(name)),
      keep: (name, text) => exchange.read('outputs.keep', () => own().keep(name, text)),
    };
  };
}

export const NO_BACKGROUND: BackgroundShell = {
  start: neverCalled,
  release: neverCalled,
  ended: neverCalled,
  read: neverCalled,
  stop: neverCalled,
  leave: neverCalled,
};

export const NO_OUTPUTS: SessionOutputs = { folder: '', fileFor: () => '', keep: () => undefined };
