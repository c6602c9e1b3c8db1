import type { Intent } from '../../core/intents/intent.ts';
import type { IntentRequest } from '../../core/intents/intentRequest.ts';
import { withLabels } from '../../core/intents/labels.ts';
import { type EndpointName, type EndpointParams, endpointPath, endpoints } from '../../v3/endpoints.ts';
import { moveParameters } from '../../v3/move.ts';
import { noteBody, sourceCommitBody, storyEditBody, taskBody } from '../http/requestParts.ts';

/** What the client sends for an intent, by the same encoders; labels as they were known when it was asked for. */
export function requestFor(projectId: number, intent: Intent): IntentRequest {
  const story = { projectId, storyId: intent.storyId };
  switch (intent.kind) {
    case 'edit':
      return request('updateStory', story, storyEditBody(intent.edit));
    case 'labels':
      return request('updateStory', story, storyEditBody({ labels: withLabels(intent.known, intent.change) }));
    case 'task': {
      const { taskId, complete } = intent;
      return request('updateTask', { ...story, taskId }, taskBody({ complete }));
    }
    case 'newTask':
      return request('addTask', story, taskBody({ description: intent.description }));
    case 'newStory':
      return request('createStory', { projectId }, storyEditBody(intent.story));
    case 'comment':
      return request('addNote', story, noteBody(intent.text));
    case 'link':
      return request('postSourceCommit', {}, sourceCommitBody(intent.commit));
    case 'move': {
      const { method, path } = request('moveStory', story);
      return { method, path: `${path}?${moveParameters(intent)}` };
    }
  }
}

function request<N extends EndpointName>(
  name: N,
  params: EndpointParams<N>,
  change?: ReturnType<typeof noteBody>,
): IntentRequest {
  const { method } = endpoints[name];
  return { method, path: endpointPath(name, params), ...(change && { body: change.body.text }) };
}
