import type { ActionView, SessionEvent } from '../protocol/events.ts';
import type { Hear } from './hear.ts';

/** The event as the user reads it. What the model, a tool or a person has said stays as it is. */
export function hearEvent(event: SessionEvent, hear: Hear): SessionEvent {
  switch (event.type) {
    case 'error':
    case 'notice':
    case 'retry':
      return { ...event, message: hear(event.message) };
    case 'status':
      // That of a tool names its call, in the words of the model.
      return event.state === 'thinking' ? { ...event, message: hear(event.message) } : event;
    case 'permission_request':
      return { ...event, action: hearAction(event.action, hear) };
    case 'permission':
      return { ...event, rule: hear(event.rule) };
    default:
      return event;
  }
}

function hearAction(action: ActionView, hear: Hear): ActionView {
  return {
    ...action,
    title: hear(action.title),
    warnings: action.warnings.map(hear),
    ...(action.remember !== undefined && { remember: hear(action.remember) }),
  };
}
