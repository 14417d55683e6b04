import { ChatErrors } from 'helix-chat/ui';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import { ownActions } from '../../stories/support/ownActions.ts';
import { type LiveChat, showChat } from './support/liveChat.tsx';
import { fateOf, shownFailures } from './support/shown.ts';
import { situationOf } from './support/situations.ts';

const QUESTION = 'How does that differ by plan?';

/**
 * What a person meets, on one line: what happened; where it stands; how severe it is; its buttons (`*` is filled); what
 * has become of the text; how it is read out. `refused`: the send was. `reply`: the reply failed at its first word.
 */
const LINES = `
provider_overloaded refused                       | error-banner      | warning  | send-again take-back         | failed | alert
provider_overloaded reply                         | message-error     | warning  | new-reply dismiss            | sent   | alert
provider_rate_limited refused                     | error-banner      | warning  | send-again take-back         | failed | alert
provider_rate_limited reply                       | message-error     | warning  | new-reply dismiss            | sent   | alert
provider_auth_error refused                       | error-banner      | blocking | copy-ref* take-back          | failed | alert
provider_auth_error reply                         | message-error     | blocking | copy-ref dismiss             | sent   | alert
provider_content_filtered reply                   | message-error     | warning  | edit dismiss                 | sent   | alert
provider_refused reply                            | message-error     | warning  | edit dismiss                 | sent   | alert
provider_timeout refused                          | error-banner      | warning  | send-again take-back         | failed | alert
provider_timeout reply                            | message-error     | warning  | new-reply dismiss            | sent   | alert
provider_invalid_request refused                  | error-banner      | blocking | start-new* edit              | failed | alert
provider_invalid_request reply                    | message-error     | blocking | start-new edit               | sent   | alert
provider_error refused                            | error-banner      | warning  | take-back send-again         | failed | alert
provider_error reply                              | message-error     | warning  | new-reply dismiss            | sent   | alert
provider_unreachable refused                      | error-banner      | warning  | send-again copy-ref          | failed | alert
provider_unreachable reply                        | message-error     | warning  | new-reply copy-ref           | sent   | alert
tool_input_invalid refused                        | error-banner      | notice   | take-back dismiss            | failed | alert
tool_input_invalid reply                          | message-error     | notice   | new-reply dismiss            | sent   | alert
tool_execution_failed reply                       | message-error     | warning  | new-reply dismiss            | sent   | alert
tool_not_found reply                              | message-error     | warning  | new-reply copy-ref           | sent   | alert
tool_timeout reply                                | message-error     | warning  | new-reply dismiss            | sent   | alert
state_commit_stopped refused                      | nothing           |          |                              | parked | none
state_commit_stopped reply                        | nothing           |          |                              | sent   | none
state_concurrency_conflict refused                | error-banner      | warning  | take-back send-again         | failed | alert
state_concurrency_conflict reply                  | message-error     | warning  | new-reply dismiss            | sent   | alert
state_not_stoppable refused                       | nothing           |          |                              | parked | none
state_not_stoppable reply                         | nothing           |          |                              | sent   | none
state_session_not_found refused                   | error-banner      | blocking | start-new* take-back         | failed | alert
state_already_running refused                     | error-banner      | warning  | send-again stop-send         | failed | alert
state_not_resumable reply                         | message-error     | warning  | new-reply dismiss            | sent   | alert
state_history_incomplete refused                  | error-banner      | blocking | copy-ref* start-new          | failed | alert
state_history_incomplete reply                    | message-error     | warning  | new-reply start-new          | sent   | alert
state_checkpoint_not_found refused                | error-banner      | warning  | reload start-new             | failed | alert
state_checkpoint_foreign refused                  | error-banner      | warning  | reload start-new             | failed | alert
state_checkpoint_sequence_unavailable refused     | error-banner      | warning  | send-again take-back         | failed | alert
state_checkpoint_sequence_unavailable reply       | message-error     | warning  | new-reply dismiss            | sent   | alert
state_run_start_conflict refused                  | error-banner      | warning  | send-again take-back         | failed | alert
state_run_superseded refused                      | nothing           |          |                              | parked | none
state_run_superseded reply                        | nothing           |          |                              | sent   | none
state_step_messages_uncommitted reply             | message-error     | warning  | copy-ref                     | sent   | alert
state_agent_type_mismatch refused                 | error-banner      | blocking | start-new* take-back         | failed | alert
state_request_key_conflict refused                | error-banner      | warning  | send-again take-back         | failed | alert
state_request_key_conflict reply                  | nothing           |          |                              | sent   | none
state_request_already_completed refused           | error-banner      | warning  | send-again take-back         | failed | alert
state_request_already_completed reply             | nothing           |          |                              | sent   | none
transport_error refused                           | error-banner      | warning  | take-back send-again         | failed | alert
transport_error reply                             | message-error     | warning  | new-reply dismiss            | sent   | alert
transport_stream_drop refused                     | error-banner      | warning  | reload send-again            | failed | alert
transport_stream_drop reply                       | message-error     | warning  | new-reply                    | sent   | alert
transport_remote_agent_failed reply               | message-error     | warning  | edit copy-ref                | sent   | alert
validation_error refused                          | error-banner      | warning  | edit remove-file             | failed | alert
framework_internal_error refused                  | error-banner      | warning  | copy-ref send-again          | failed | alert
framework_internal_error reply                    | message-error     | warning  | new-reply copy-ref           | sent   | alert
framework_not_supported refused                   | error-banner      | blocking | copy-ref* take-back          | failed | alert
framework_not_supported reply                     | message-error     | blocking | copy-ref dismiss             | sent   | alert
framework_companion_not_supported refused         | error-banner      | blocking | copy-ref* take-back          | failed | alert
framework_companion_not_supported reply           | message-error     | blocking | copy-ref dismiss             | sent   | alert
framework_cancelled refused                       | error-banner      | notice   | take-back dismiss            | failed | status
framework_cancelled reply                         | message-error     | notice   | new-reply dismiss            | sent   | status
framework_max_steps_exhausted reply               | message-error     | warning  | new-reply dismiss            | sent   | alert
framework_completion_strategy_unavailable refused | error-banner      | blocking | copy-ref* take-back          | failed | alert
framework_completion_strategy_unavailable reply   | message-error     | blocking | copy-ref dismiss             | sent   | alert
framework_completion_schema_unsupported refused   | error-banner      | blocking | copy-ref* take-back          | failed | alert
framework_completion_schema_unsupported reply     | message-error     | blocking | copy-ref dismiss             | sent   | alert
framework_prompt_prefix_changed refused           | error-banner      | blocking | start-new* take-back         | failed | alert
framework_prompt_prefix_changed reply             | message-error     | blocking | start-new dismiss            | sent   | alert
framework_agent_not_found refused                 | error-banner      | blocking | start-new* copy-ref          | failed | alert
framework_agent_not_found reply                   | message-error     | blocking | start-new copy-ref           | sent   | alert
framework_agent_resolution_failed refused         | error-banner      | warning  | send-again take-back         | failed | alert
framework_agent_resolution_failed reply           | message-error     | warning  | new-reply dismiss            | sent   | alert
framework_agent_name_conflict refused             | error-banner      | blocking | copy-ref* take-back          | failed | alert
framework_agent_name_conflict reply               | message-error     | blocking | copy-ref dismiss             | sent   | alert
framework_auto_resume_exhausted reply             | message-error     | warning  | new-reply copy-ref           | sent   | alert
framework_usage_store_unavailable refused         | error-banner      | warning  | send-again take-back         | failed | alert
framework_usage_store_unavailable reply           | message-error     | warning  | new-reply dismiss            | sent   | alert
framework_hook_failed refused                     | error-banner      | warning  | send-again take-back         | failed | alert
framework_hook_failed reply                       | message-error     | warning  | new-reply dismiss            | sent   | alert
framework_skills_unavailable refused              | error-banner      | warning  | send-again take-back         | failed | alert
framework_skills_unavailable reply                | message-error     | warning  | new-reply dismiss            | sent   | alert
framework_forced_completion_exhausted reply       | message-error     | warning  | new-reply edit               | sent   | alert
framework_completion_protocol_violation reply     | message-error     | warning  | new-reply edit               | sent   | alert
framework_completion_invalid_output reply         | message-error     | warning  | new-reply edit               | sent   | alert
framework_completion_tool_missing reply           | message-error     | warning  | new-reply copy-ref           | sent   | alert
unclassified refused                              | error-banner      | warning  | copy-ref send-again          | failed | alert
unclassified reply                                | message-error     | warning  | new-reply copy-ref           | sent   | alert
provider_from_tomorrow refused                    | error-banner      | warning  | take-back send-again         | failed | alert
provider_from_tomorrow reply                      | message-error     | warning  | new-reply dismiss            | sent   | alert
tool_from_tomorrow refused                        | error-banner      | warning  | send-again take-back dismiss | failed | alert
tool_from_tomorrow reply                          | message-error     | warning  | new-reply dismiss            | sent   | alert
state_from_tomorrow refused                       | error-banner      | warning  | reload take-back             | failed | alert
state_from_tomorrow reply                         | message-error     | warning  | new-reply dismiss            | sent   | alert
transport_from_tomorrow refused                   | error-banner      | warning  | take-back send-again         | failed | alert
transport_from_tomorrow reply                     | message-error     | warning  | new-reply dismiss            | sent   | alert
validation_from_tomorrow refused                  | error-banner      | warning  | edit take-back               | failed | alert
validation_from_tomorrow reply                    | error-banner      | warning  | edit                         | sent   | alert
framework_from_tomorrow refused                   | error-banner      | warning  | copy-ref send-again          | failed | alert
framework_from_tomorrow reply                     | message-error     | warning  | new-reply copy-ref           | sent   | alert
provider_overloaded midway                        | message-error     | warning  | new-reply dismiss            | sent   | alert
provider_refused midway                           | message-error     | warning  | edit dismiss                 | sent   | alert
offline                                           | connection-status | notice   | try-now                      | on its way | status
no answer in time                                 | error-banner      | warning  | send-again take-back         | failed | alert
an empty reply                                    | message-error     | warning  | new-reply edit               | sent   | alert
a cut reply                                       | message-error     | warning  | new-reply                    | sent   | status
a reply that breaks off at the model              | message-error     | notice   | new-reply dismiss            | sent   | status
a filtered reply                                  | message-error     | notice   | edit dismiss                 | sent   | status
a reply filtered to nothing                       | message-error     | warning  | edit dismiss                 | sent   | alert
a reply of full length                            | message-error     | notice   | dismiss                      | sent   | status
a limit with a wait of 90 s                       | error-banner      | warning  | send-again take-back         | failed | alert
a limit without a wait                            | error-banner      | warning  | send-again take-back         | failed | alert
a used-up allowance                               | error-banner      | blocking | plan* take-back              | failed | alert
signed out                                        | error-banner      | blocking | sign-in* take-back           | failed | alert
forbidden                                         | error-banner      | blocking | start-new* sign-in           | failed | alert
not found                                         | error-banner      | blocking | start-new* copy-ref          | failed | alert
too large                                         | error-banner      | warning  | remove-file take-back        | failed | alert
a file of the wrong kind                          | error-banner      | warning  | remove-file take-back        | failed | alert
a page instead of an answer                       | error-banner      | warning  | send-again sign-in           | failed | alert
a conversation that is too long                   | error-banner      | blocking | start-new* edit              | failed | alert
an earlier reply that does not end                | error-banner      | warning  | send-again stop-send         | failed | alert
a store that cannot be read                       | error-banner      | warning  | reload start-new             | -      | alert
a conversation that changes while it is read      | error-banner      | warning  | reload start-new             | -      | alert
a conversation that is broken                     | error-banner      | blocking | copy-ref* start-new          | -      | alert
a conversation that is not whole                  | error-banner      | blocking | copy-ref* start-new          | -      | alert
a stop that does not get through                   | error-toast       | notice   | stop-again dismiss           | sent       | alert
`;

const facts = LINES.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([what = '', ...cells]) => ({ what, expected: cells.join(' | ') }));

/** What the live regions said of failures; status lines are not of it. */
const toldOf = ({ heard }: LiveChat): readonly string[] =>
  heard.filter((text) => Object.values(en.titles).some((title) => text.includes(`: ${title}.`)));

describe('one line in an app shows each failure in its place, once, says it once, and clears it once', () => {
  it.each(facts)('$what', async ({ what, expected }) => {
    const { begin, end, ...stage } = situationOf(what);
    const chat = await showChat({ dock: (drawn) => <ChatErrors chat={drawn} /> }, stage, {
      actions: ownActions(en),
    });
    if (begin) await begin(chat);
    else await chat.send(QUESTION);
    if (what !== 'offline') await chat.until('idle', 'failed');
    await chat.pass(3_000);

    const shown = shownFailures();
    const told = toldOf(chat);
    const fate = await fateOf(chat, QUESTION);
    const said = told.at(-1) ?? chat.heard.find((text) => text.includes(en.status.offline));
    const met = [shown[0] ?? 'nothing |  | ', fate, said?.split(':')[0] ?? 'none'];
    expect(met.join(' | ')).toBe(expected);
    expect(shown.length).toBeLessThanOrEqual(1);
    expect(told.length, 'nothing is said twice').toBe(new Set(told).size);
    // What was not sent can be had back, by one button and no second one.
    const unsent = chat.chat().pendingSends.length;
    expect(document.querySelectorAll('[data-helix-action="take-back"]')).toHaveLength(unsent);

    chat.mend();
    if (end) await end(chat);
    else await chat.send('And compare it with spring.');
    await chat.until('idle');
    await chat.pass(6_000);
    expect(shownFailures()).toEqual([]);
    expect(toldOf(chat)).toEqual(told);
    expect(await fateOf(chat, QUESTION)).toBe(what === 'offline' ? 'sent' : fate);
    await chat.leave();
  });
});
