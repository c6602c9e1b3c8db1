import type { Activity } from '../../core/story/activity.ts';

const byState: Readonly<Record<string, string>> = {
  started: 'play',
  finished: 'check',
  delivered: 'package',
  accepted: 'pass',
  rejected: 'error',
};

const byKind: Readonly<Record<string, string>> = {
  note: 'comment',
  comment: 'comment',
  attachment: 'attach',
  task: 'tasklist',
};

/** Codicon of what happened; a plain one for event types we do not know. */
export function activityIcon({ eventType, stories }: Activity): string {
  const [kind = '', what] = eventType.split('_');
  const ofKind = Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;
  if (ofKind) return ofKind;
  const state = stories.find(({ changed }) => changed.state !== undefined)?.changed.state ?? '';
  if (what === 'create') return 'add';
  if (what === 'delete') return 'trash';
  if (Object.hasOwn(byState, state)) return byState[state] ?? 'edit';
  return what === 'update' ? 'edit' : 'pulse';
}
