import { isPlainObject } from '../../../host/shell/commands.ts';

/** Whether the third argument of `attachFiles` names a story: then a program calls, and wants to be told by a rejection. */
export function namesStory(args: readonly unknown[]): boolean {
  const third = args[2];
  return isPlainObject(third) && 'storyId' in third;
}
