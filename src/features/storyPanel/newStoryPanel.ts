import * as vscode from 'vscode';
import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { isPendingStory, pendingStory } from '../../core/intents/edit.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { withIntent } from '../../core/intents/intentRules.ts';
import { placeOfNew, type ShownPlace, shownPlace, type WantedPlace } from '../../core/moves/newPlaces.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { storyTemplate } from '../../host/shell/featureSettings.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import { AccountLinks } from '../../host/story/accountLinks.ts';
import { type DraftStore, fieldDrafts } from '../../host/story/draftFiles.ts';
import { makeReversibly } from '../../host/story/reversibleStories.ts';
import { waitingText } from '../../host/story/submitIntents.ts';
import { DraftMemory, NewStoryMemory } from './draftMemory.ts';
import type { FieldsFromPage } from './fieldMessages.ts';
import { fromPage, NEW_STORY, type PanelStory } from './panelMessages.ts';
import { PanelPage } from './panelPage.ts';
import type { PanelTexts } from './panelTexts.ts';
import { followLink, type LinkAction } from './storyDeeds.ts';
import { newStoryFields, pageFields } from './storyFields.ts';
import { previewOf } from './storyParts.ts';

/** Where a new story is wanted, and what it begins with. */
export interface NewStoryStart {
  readonly place: WantedPlace;
  /** Its first line becomes the name, the others the description. */
  readonly text?: string;
}

export type NewStoryNeeds = Pick<
  App,
  'backlogs' | 'log' | 'messages' | 'openDrafts' | 'restoredStories' | 'storiesView' | 'undoHistory'
> & { readonly drafts: DraftStore };

/** A tab in which a story is written that no server has: everything is kept until it is made, at once. */
export class NewStoryPanel implements vscode.Disposable {
  private readonly needs: NewStoryNeeds;
  private readonly panel: vscode.WebviewPanel;
  private readonly page: PanelPage;
  private readonly key: ProjectKey;
  private readonly texts: PanelTexts;
  private readonly memory: NewStoryMemory;
  private readonly links: AccountLinks;
  private readonly onDidCreate: (story: PanelStory) => void;
  private readonly listening: vscode.Disposable;
  /** When what is written was left, where it is older than the wish for a new story. */
  private unfinishedAt: number | undefined;
  /** Also while the page is another one, which knows nothing of it. */
  private isCreating = false;

  /** `onDidCreate` is told which story it has become; of a negative number while it waits for its server. */
  constructor(
    needs: NewStoryNeeds,
    panel: vscode.WebviewPanel,
    key: ProjectKey,
    texts: PanelTexts,
    onDidCreate: (story: PanelStory) => void,
  ) {
    this.needs = needs;
    this.panel = panel;
    this.page = new PanelPage(needs.log, panel.webview);
    this.key = key;
    this.texts = texts;
    this.onDidCreate = onDidCreate;
    this.links = new AccountLinks(needs.backlogs, key);
    this.memory = new NewStoryMemory(needs.drafts, fieldDrafts(key, NEW_STORY));
    panel.title = texts.writing.newStory;
    panel.iconPath = new vscode.ThemeIcon('add');
    this.listening = vscode.Disposable.from(
      needs.backlogs.onDidChange((changed) => {
        if (!changed || isSameProject(changed, key)) void this.showFields();
      }),
      panel.webview.onDidReceiveMessage((message: unknown) => this.hear(fromPage(message))),
    );
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Begins with a place and perhaps a text, which does not take the place of what was written before. */
  async begin({ text, place }: NewStoryStart): Promise<void> {
    this.needs.drafts.refresh();
    this.unfinishedAt = this.memory.writtenAt;
    await this.needs.drafts.update(placeName(this.key), place);
    const [name = '', ...rest] = (text ?? '').split(/\r?\n/);
    const written = { name: name.trim(), description: rest.join('\n').trim() };
    for (const field of ['name', 'description'] as const) {
      const isFree = (this.memory.draftOf(field)?.text ?? '') === '';
      if (isFree && written[field] !== '') await this.memory.store({ field, base: '', text: written[field] });
    }
    await this.greet();
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async hear(said: ReturnType<typeof fromPage>): Promise<void> {
    if (said?.type === 'ready') await this.greet();
    else if (said?.type === 'keepDraft') {
      await this.memory.store(said.draft);
      if (said.draft.field === 'type') await this.showFields();
    } else if (said?.type === 'discardDraft') {
      await this.memory.forget(said.field);
      if (this.memory.writtenAt === undefined) this.unfinishedAt = undefined;
      if (said.field === 'type') await this.showFields();
    } else if (said?.type === 'preview') {
      await this.page.tell({ type: 'preview', html: previewOf(said.text, this.texts, this.links) });
    } else if (said?.type === 'createStory') await this.create(said);
    else if (said?.type === 'link' || said?.type === 'story') await this.followLink(said);
  }

  /** One in the preview. */
  private async followLink(said: LinkAction): Promise<void> {
    try {
      await followLink(this.key, said);
    } catch (thrown) {
      await this.page.tellProblem(thrown);
    }
  }

  private async greet(): Promise<void> {
    await this.showFields();
    const drafts = this.memory.all().map((draft) => ({ ...draft, problem: '' }));
    await this.page.tell({ type: 'drafts', drafts });
    // A window that has just begun knows the project only after it was asked for.
    await this.needs.backlogs.projects().then(
      () => this.needs.backlogs.backlog(this.key),
      (thrown: unknown) => this.needs.log.debug(messageOf(thrown)),
    );
    await this.showFields();
  }

  private async showFields(): Promise<void> {
    const type = this.memory.draftOf('type')?.text ?? '';
    const blank = pendingStory(-1, type === '' ? { name: '' } : { name: '', type });
    const fields = pageFields({ ...blank, id: 1 }, this.project() ?? {}, this.texts);
    const story = { ...this.key, storyId: NEW_STORY };
    const { unfinishedAt } = this;
    const unfinished = unfinishedAt === undefined ? {} : { unfinishedAt };
    await this.page.tell({ type: 'newStory', story, where: this.where(), ...unfinished });
    const description = storyTemplate(fields.texts.type) ?? '';
    await this.page.tell({ type: 'fields', fields: { ...fields, texts: { ...fields.texts, description } } });
  }

  private project() {
    return this.needs.backlogs.peek(this.key)?.project;
  }

  /** In which list, in which iteration or behind which story it is wanted. */
  private get wanted(): WantedPlace {
    const kept = this.needs.drafts.get(placeName(this.key));
    return isPlace(kept) ? kept : 'icebox';
  }

  private where(): string {
    const { writing } = this.texts;
    const backlog = this.needs.backlogs.peek(this.key);
    const place = backlog && expectedPlace(backlog, this.wanted);
    return place ? writing.landsIn(writing.place(place), plainLine(backlog.project.name)) : '';
  }

  private async create({ texts: written }: Extract<FieldsFromPage, { readonly type: 'createStory' }>): Promise<void> {
    const { needs, key, texts } = this;
    if (this.isCreating) return;
    this.isCreating = true;
    try {
      const fields = newStoryFields(written, this.project() ?? {}, texts);
      const { state, beside } = placeOfNew(needs.backlogs.peek(key), this.wanted);
      const story = { ...fields, state };
      const { made, refused } = await makeReversibly(needs, key, [{ story, ...(beside && { beside }) }]);
      const [only] = made;
      if (!only) throw refused[0]?.problem;
      const name = fieldDrafts(key, only.storyId);
      const isThere = !isPendingStory({ id: only.storyId });
      await this.memory.handOver(written, isThere ? new DraftMemory(needs.drafts, name) : undefined);
      await needs.drafts.update(placeName(key), undefined);
      const { storyId, waiting } = only;
      needs.messages.status(
        waiting ? waitingText(waiting, needs.backlogs.signInOf(key)) : texts.writing.created(storyId),
      );
      this.onDidCreate({ ...key, storyId });
      void this.selectRow(storyId);
    } catch (thrown) {
      await this.page.tellProblem(thrown);
    } finally {
      this.isCreating = false;
    }
  }

  /** The focus stays in the tab, and a view that is not shown stays away. */
  private async selectRow(storyId: number): Promise<void> {
    const { storiesView, log } = this.needs;
    const { accountId, projectId } = this.key;
    try {
      await storiesView.reveal(storyId, projectId, { accountId, onlyIfVisible: true });
    } catch (thrown) {
      log.debug(`row of story ${storyId} not revealed: ${messageOf(thrown)}`);
    }
  }
}

/** Where a story will be that is made now, as far as nothing is planned anew. */
function expectedPlace(backlog: Backlog, wanted: WantedPlace): ShownPlace | undefined {
  if (typeof wanted === 'object' && 'iteration' in wanted) {
    const isCurrent = wanted.iteration === backlog.iterations[0]?.number;
    return { list: isCurrent ? 'current' : 'backlog', number: wanted.iteration };
  }
  const { state, beside } = placeOfNew(backlog, wanted);
  const storyId = Number.MIN_SAFE_INTEGER;
  const intent: Intent<'newStory'> = { kind: 'newStory', storyId, story: { name: '', state } };
  return shownPlace(withIntent(backlog, beside ? { ...intent, beside } : intent), storyId);
}

/** Under which name a workspace remembers where the story that is being written is wanted. */
function placeName(key: ProjectKey): string {
  return `${fieldDrafts(key, NEW_STORY)}/place`;
}

function isPlace(value: unknown): value is WantedPlace {
  if (value === 'top' || value === 'bottom' || value === 'icebox') return true;
  const { iteration, behind }: { readonly iteration?: unknown; readonly behind?: unknown } = { ...Object(value) };
  const { id, state }: { readonly id?: unknown; readonly state?: unknown } = { ...Object(behind) };
  return typeof iteration === 'number' || (typeof id === 'number' && typeof state === 'string');
}
