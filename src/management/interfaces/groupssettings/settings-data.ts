/** A setting of a group: a word of `values`, `initial` until it is set; or a text of so many characters, absent until it is set. */
export type GroupSetting = { initial: string; values: readonly string[] } | { maxChars: number };

const BOOLEAN = ['true', 'false'] as const;
const MANAGING = ['ALL_MEMBERS', 'OWNERS_AND_MANAGERS', 'OWNERS_ONLY', 'NONE'] as const;
const ASSISTING = ['ALL_MEMBERS', 'OWNERS_AND_MANAGERS', 'MANAGERS_ONLY', 'OWNERS_ONLY', 'NONE'] as const;

/**
 * The settings that a caller may write, by the vendor's descriptions of their values (npm `googleapis` 188,
 * groupssettings v1). What a new group has is up to its account there; these initial values are ours.
 */
export const GROUP_SETTINGS: Readonly<Record<string, GroupSetting>> = {
  allowExternalMembers: { initial: 'false', values: BOOLEAN },
  allowGoogleCommunication: { initial: 'false', values: BOOLEAN },
  allowWebPosting: { initial: 'true', values: BOOLEAN },
  archiveOnly: { initial: 'false', values: BOOLEAN },
  customFooterText: { maxChars: 1000 },
  customReplyTo: { maxChars: 320 },
  defaultMessageDenyNotificationText: { maxChars: 10000 },
  default_sender: { initial: 'DEFAULT_SELF', values: ['DEFAULT_SELF', 'GROUP'] },
  enableCollaborativeInbox: { initial: 'false', values: BOOLEAN },
  favoriteRepliesOnTop: { initial: 'true', values: BOOLEAN },
  includeCustomFooter: { initial: 'false', values: BOOLEAN },
  includeInGlobalAddressList: { initial: 'true', values: BOOLEAN },
  isArchived: { initial: 'false', values: BOOLEAN },
  membersCanPostAsTheGroup: { initial: 'false', values: BOOLEAN },
  messageModerationLevel: {
    initial: 'MODERATE_NONE',
    values: ['MODERATE_ALL_MESSAGES', 'MODERATE_NON_MEMBERS', 'MODERATE_NEW_MEMBERS', 'MODERATE_NONE'],
  },
  primaryLanguage: { maxChars: 35 },
  replyTo: {
    initial: 'REPLY_TO_IGNORE',
    values: [
      'REPLY_TO_CUSTOM',
      'REPLY_TO_SENDER',
      'REPLY_TO_LIST',
      'REPLY_TO_OWNER',
      'REPLY_TO_IGNORE',
      'REPLY_TO_MANAGERS',
    ],
  },
  sendMessageDenyNotification: { initial: 'false', values: BOOLEAN },
  showInGroupDirectory: { initial: 'true', values: BOOLEAN },
  spamModerationLevel: { initial: 'MODERATE', values: ['ALLOW', 'MODERATE', 'SILENTLY_MODERATE', 'REJECT'] },
  whoCanAdd: {
    initial: 'ALL_MANAGERS_CAN_ADD',
    values: ['ALL_MEMBERS_CAN_ADD', 'ALL_MANAGERS_CAN_ADD', 'ALL_OWNERS_CAN_ADD', 'NONE_CAN_ADD'],
  },
  whoCanApproveMembers: {
    initial: 'ALL_MANAGERS_CAN_APPROVE',
    values: ['ALL_MEMBERS_CAN_APPROVE', 'ALL_MANAGERS_CAN_APPROVE', 'ALL_OWNERS_CAN_APPROVE', 'NONE_CAN_APPROVE'],
  },
  whoCanApproveMessages: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanAssignTopics: { initial: 'NONE', values: ASSISTING },
  whoCanAssistContent: { initial: 'NONE', values: ASSISTING },
  whoCanBanUsers: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanContactOwner: {
    initial: 'ANYONE_CAN_CONTACT',
    values: [
      'ALL_IN_DOMAIN_CAN_CONTACT',
      'ALL_MANAGERS_CAN_CONTACT',
      'ALL_MEMBERS_CAN_CONTACT',
      'ANYONE_CAN_CONTACT',
      'ALL_OWNERS_CAN_CONTACT',
    ],
  },
  whoCanDeleteAnyPost: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanDeleteTopics: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanDiscoverGroup: {
    initial: 'ALL_IN_DOMAIN_CAN_DISCOVER',
    values: ['ANYONE_CAN_DISCOVER', 'ALL_IN_DOMAIN_CAN_DISCOVER', 'ALL_MEMBERS_CAN_DISCOVER'],
  },
  whoCanEnterFreeFormTags: { initial: 'NONE', values: ASSISTING },
  whoCanHideAbuse: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanInvite: {
    initial: 'ALL_MANAGERS_CAN_INVITE',
    values: ['ALL_MEMBERS_CAN_INVITE', 'ALL_MANAGERS_CAN_INVITE', 'ALL_OWNERS_CAN_INVITE', 'NONE_CAN_INVITE'],
  },
  whoCanJoin: {
    initial: 'CAN_REQUEST_TO_JOIN',
    values: ['ANYONE_CAN_JOIN', 'ALL_IN_DOMAIN_CAN_JOIN', 'INVITED_CAN_JOIN', 'CAN_REQUEST_TO_JOIN'],
  },
  whoCanLeaveGroup: {
    initial: 'ALL_MEMBERS_CAN_LEAVE',
    values: ['ALL_MANAGERS_CAN_LEAVE', 'ALL_MEMBERS_CAN_LEAVE', 'NONE_CAN_LEAVE'],
  },
  whoCanLockTopics: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanMakeTopicsSticky: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanMarkDuplicate: { initial: 'NONE', values: ASSISTING },
  whoCanMarkFavoriteReplyOnAnyTopic: { initial: 'NONE', values: ASSISTING },
  whoCanMarkFavoriteReplyOnOwnTopic: { initial: 'NONE', values: ASSISTING },
  whoCanMarkNoResponseNeeded: { initial: 'NONE', values: ASSISTING },
  whoCanModerateContent: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanModerateMembers: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanModifyMembers: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanModifyTagsAndCategories: { initial: 'NONE', values: ASSISTING },
  whoCanMoveTopicsIn: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanMoveTopicsOut: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanPostAnnouncements: { initial: 'OWNERS_AND_MANAGERS', values: MANAGING },
  whoCanPostMessage: {
    initial: 'ALL_IN_DOMAIN_CAN_POST',
    values: [
      'NONE_CAN_POST',
      'ALL_MANAGERS_CAN_POST',
      'ALL_MEMBERS_CAN_POST',
      'ALL_OWNERS_CAN_POST',
      'ALL_IN_DOMAIN_CAN_POST',
      'ANYONE_CAN_POST',
    ],
  },
  whoCanTakeTopics: { initial: 'NONE', values: ASSISTING },
  whoCanUnassignTopic: { initial: 'NONE', values: ASSISTING },
  whoCanUnmarkFavoriteReplyOnAnyTopic: { initial: 'NONE', values: ASSISTING },
  whoCanViewGroup: {
    initial: 'ALL_MEMBERS_CAN_VIEW',
    values: ['ANYONE_CAN_VIEW', 'ALL_IN_DOMAIN_CAN_VIEW', 'ALL_MEMBERS_CAN_VIEW', 'ALL_MANAGERS_CAN_VIEW'],
  },
  whoCanViewMembership: {
    initial: 'ALL_MEMBERS_CAN_VIEW',
    values: ['ALL_IN_DOMAIN_CAN_VIEW', 'ALL_MEMBERS_CAN_VIEW', 'ALL_MANAGERS_CAN_VIEW'],
  },
};
