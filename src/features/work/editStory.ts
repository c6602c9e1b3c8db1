import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { typeWord } from '../../core/backlog/stateWords.ts';
import { isEstimatable, type StoryType, storyTypes, type WorkflowRules } from '../../core/backlog/workflow.ts';
import { kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { MAX_STORY_NAME } from '../../core/limits.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { fieldsOf, fieldWords } from '../../core/story/storyFields.ts';
import { type Caller, callerOf, programArguments } from '../../host/shell/commands.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';
import type { DraftStore } from '../../host/story/draftFiles.ts';
import { withEstimates } from '../../host/story/estimatedEdit.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { storyFieldsIn } from '../../host/story/storyFieldsArgument.ts';
import { iconOfType } from '../../host/story/storyIcons.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { type FoundStory, GivenStory } from '../../host/tree/nodes.ts';
import {
  applyEdits,
  chosenStories,
  nameOfStories,
  storiesInSentence,
  type WantedEdit,
  type WorkNeeds,
} from './applyEdits.ts';

/**
 * Sets the fields that are passed beside the story or after its row, on all rows that are selected with it; without any it
 * opens the story's tab on its name. Where someone else has changed one of them since it was shown, nothing is overwritten.
 * @throws TrackerError `input` for a field that is not of its form, `conflict`, or in the server's words.
 */
export async function editStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const wanted = storyFieldsIn(vscode, programArguments(args));
  const fields = fieldNames(wanted);
  if (fields.length === 0) {
    const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story do you want to edit?'));
    if (found) {
      const caller: Caller = callerOf(args);
      await vscode.commands.executeCommand(commandIds.openStory, new GivenStory(found), { write: 'name', caller });
    }
    return;
  }
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Which story do you want to edit?'));
  if (!chosen) return;
  const { key, stories } = chosen;
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'edit', storyId: story.id, edit: wanted, known: fieldsOf(story, fields) } as const,
  }));
  const all = fieldWords();
  const words = fields.map((field) => all[field]).join(', ');
  await applyEdits(needs, key, edits, vscode.l10n.t('Changed the {0} of {1}.', words, storiesInSentence(stories)));
}

/**
 * Makes stories of another type: the one named by `type`, beside the story or after its row, else the one picked. Stories that are
 * begun may need an estimate for it, which they could not have before: it is asked for.
 */
export async function changeType(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Change the type of which story?'));
  if (!chosen) return;
  const type = typeArgument(args) ?? (await askType(chosen.stories));
  if (type === undefined) return;
  const { project } = await needs.backlogs.backlog(chosen.key);
  const done = vscode.l10n.t('{0}: type {1}.', nameOfStories(chosen.stories), typeWord(type));
  const changed = chosen.stories.filter((story) => story.type !== type);
  const wanted = changed.map((story) => ({ story, edit: typeEdit(story, type, project) }));
  const estimated = await withEstimates(wanted, project);
  if (!estimated) return;
  const edits = changed.flatMap((story, index): readonly WantedEdit[] => {
    const edit = estimated[index];
    return edit ? [{ story, intent: { kind: 'edit', storyId: story.id, edit } }] : [];
  });
  if (edits.length === 0) needs.messages.status(done);
  else await applyEdits(needs, chosen.key, edits, done);
}

/** What the new type does not have goes with the edit, so that undoing it brings that back as well. */
function typeEdit(story: Story, type: string, project: WorkflowRules): StoryEdit {
  const losesEstimate = (story.estimate ?? -1) >= 0 && !isEstimatable(type, project);
  const losesDeadline = story.deadline !== undefined && type !== 'release';
  return { type, ...(losesEstimate && { estimate: null }), ...(losesDeadline && { deadline: null }) };
}

interface TypeItem extends vscode.QuickPickItem {
  readonly type: StoryType;
}

async function askType(stories: StoriesOfProject['stories']): Promise<string | undefined> {
  const isNow = (type: string) => stories.every((story) => story.type === type);
  const items = storyTypes.map(
    (type): TypeItem => ({
      label: `$(${iconOfType(type)}) ${typeWord(type)}`,
      type,
      ...(isNow(type) && { description: vscode.l10n.t('now') }),
    }),
  );
  const placeHolder = vscode.l10n.t('Which type? ({0})', storiesInSentence(stories));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.type;
}

function typeArgument(args: readonly unknown[]): string | undefined {
  const { type } = programArguments(args);
  if (type === undefined || (typeof type === 'string' && type !== '')) return type;
  throw new TrackerError('input', vscode.l10n.t('Pass the type as { type: string }.'));
}

/**
 * Asks for the new name of a story. Why it is refused is said below the box, which stays; a name that was begun is offered the
 * next time. Where someone else has renamed the story since, only a second Enter does.
 */
export async function renameStory(needs: WorkNeeds, ...[argument]: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(argument, vscode.l10n.t('Rename which story?'));
  if (found) await new RenameBox(needs, found, await needs.openDrafts()).closed;
}

/** The box in which a story is renamed. */
class RenameBox {
  /** Once it is gone. */
  readonly closed: Promise<void>;
  private readonly needs: WorkNeeds;
  private readonly found: FoundStory;
  private readonly drafts: DraftStore;
  private readonly box = vscode.window.createInputBox();
  /** The story as the person last saw it. */
  private story: Story;
  private isOpen = true;

  constructor(needs: WorkNeeds, found: FoundStory, drafts: DraftStore) {
    const { box } = this;
    this.needs = needs;
    this.drafts = drafts;
    this.found = found;
    this.story = found.story;
    const begun = drafts.get(this.draft);
    box.title = vscode.l10n.t('Rename Story #{0}', found.story.id);
    box.value = typeof begun === 'string' ? begun : found.story.name;
    box.valueSelection = [0, box.value.length];
    box.prompt =
      typeof begun === 'string'
        ? vscode.l10n.t('Now: {0}', withoutLinks(storyLabel(found.story)))
        : vscode.l10n.t('New name');
    box.ignoreFocusOut = true;
    box.onDidChangeValue((typed) => this.follow(typed));
    box.onDidAccept(() => this.accept());
    this.closed = new Promise((resolve) => {
      box.onDidHide(() => {
        this.isOpen = false;
        box.dispose();
        resolve();
      });
    });
    box.show();
  }

  private get draft(): string {
    const { key, story } = this.found;
    return `storyTracker.nameDraft.${keyText(key)}/${story.id}`;
  }

  /** What is typed is safe at once. */
  private follow(typed: string): void {
    this.box.validationMessage = problemOf(typed);
    void this.keepDraft(typed === this.story.name ? undefined : typed);
  }

  private async keepDraft(typed: string | undefined): Promise<void> {
    await this.drafts.update(this.draft, typed);
  }

  private async accept(): Promise<void> {
    const { box } = this;
    const name = box.value.trim();
    if (box.busy || problemOf(name)) return;
    box.busy = true;
    box.enabled = false;
    try {
      if (name !== this.story.name) await this.rename(name);
      await this.keepDraft(undefined);
      box.hide();
    } catch (thrown) {
      await this.tell(thrown);
    }
    box.busy = false;
    box.enabled = true;
  }

  private async rename(name: string): Promise<void> {
    const { needs, found, story } = this;
    const known = { name: story.name };
    const intent = { kind: 'edit', storyId: story.id, edit: { name }, known } as const;
    await applyEdits(needs, found.key, [{ story, intent }], vscode.l10n.t('Renamed story #{0}.', story.id));
  }

  private async tell(thrown: unknown): Promise<void> {
    if (!this.isOpen) {
      this.needs.messages.error(thrown);
      return;
    }
    this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
    const sentence = withoutLinks(messageOf(thrown));
    if (kindOf(thrown) !== 'conflict') {
      this.box.validationMessage = sentence;
      return;
    }
    this.story = await this.needs.backlogs.refreshStory(this.found.key, this.story.id).catch(() => this.story);
    this.box.validationMessage = `${sentence} ${vscode.l10n.t('Press Enter to rename it anyway.')}`;
  }
}

function problemOf(typed: string): string | undefined {
  if (typed.trim() === '') return vscode.l10n.t('Enter a story name.');
  return typed.length > MAX_STORY_NAME
    ? vscode.l10n.t('A name has at most {0} characters.', MAX_STORY_NAME)
    : undefined;
}
