import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import type { BacklogSnapshot, BacklogUpdate } from '../replica/backlogSnapshot.ts';
import { digestOf, localPlan, type OpenLists } from '../replica/localPlan.ts';
import { type Places, placesAfter } from '../replica/places.ts';
import { isReplanned, type RefreshPlan } from '../replica/planRefresh.ts';
import { DONE_PAGE, foundInLists, type RefreshNeeds, singleStories } from './readFromServer.ts';

type Attempt = NonNullable<Extract<RefreshPlan, { kind: 'part' }>['layOut']>;
type Laid = Pick<BacklogUpdate, 'project' | 'lists' | 'stories' | 'order' | 'gone'>;

/**
 * What happened, with the order laid out here from the stories that were touched: a few stories are read where the lists
 * are thousands. `undefined` when the server's digest does not say the same, so that the lists have to be read.
 */
export async function updateFromLayout(
  needs: RefreshNeeds,
  held: BacklogSnapshot,
  { storyIds, done }: Attempt,
  project: Project,
): Promise<Laid | undefined> {
  const { projectId, known } = held;
  const { places: before, lists } = held.kept;
  const [current] = lists.iterations;
  if (!known || !before || current?.start?.time === undefined) return undefined;
  const [single, older] = await Promise.all([
    singleStories(needs, projectId, storyIds),
    done ? foundInLists(needs, projectId, lists, Math.max(DONE_PAGE, lists.done.length)) : undefined,
  ]);
  const { open, accepted } = divided(single.stories, known.ids.done, current.start.time);
  if (!older && !accepted.every(({ id }) => known.ids.done.has(id))) return undefined;
  const leaving = new Set([...single.gone, ...accepted.map(({ id }) => id)]);
  const places = placesAfter(before, open, leaving);
  const agreed = places && (await agreedPlan(needs, held, project, places));
  if (!agreed) return undefined;
  const { isNew, ...order } = agreed.order;
  return {
    project: agreed.project,
    order,
    ...(!older && { gone: single.gone }),
    ...((isNew || older) && { lists: { ...agreed.lists, done: older?.lists.done ?? lists.done } }),
    stories: [...open, ...(older ? older.stories : accepted)],
  };
}

/** Stories of the open lists, and those that were accepted before the current iteration began. */
function divided(stories: readonly Story[], doneIds: ReadonlySet<number>, start: number) {
  const isDone = ({ id, state, acceptedAt }: Story) =>
    state === 'accepted' && (acceptedAt?.time === undefined ? doneIds.has(id) : acceptedAt.time < start);
  return { open: stories.filter((story) => !isDone(story)), accepted: stories.filter(isDone) };
}

/** The project may have been read a moment before the stories were, so it is asked once more when the digests differ. */
async function agreedPlan(needs: RefreshNeeds, held: BacklogSnapshot, project: Project, places: Places) {
  const first = planFor(held, project, places);
  if (!first || first.order.digest === project.orderDigest) return first;
  const again = await needs.tracker.getProject(held.projectId);
  if (again.orderDigest === project.orderDigest || isReplanned(project, again)) return undefined;
  const second = planFor(held, again, places);
  return second?.order.digest === again.orderDigest ? second : undefined;
}

function planFor({ kept, known }: BacklogSnapshot, project: Project, places: Places) {
  const { iterations, icebox } = kept.lists;
  const laid = localPlan(iterations, project, places);
  if (!laid) return undefined;
  const digest = digestOf(laid);
  const isNew = digest !== known?.digest;
  const lists: OpenLists = isNew ? laid : { iterations, icebox };
  return { project, lists, order: { digest, places, isNew } };
}
