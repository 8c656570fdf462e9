# frozen_string_literal: true

# What holds for every interface: batch, entity tags, retries, partial answers, errors, keys.

require 'googleauth'

TOKEN_SCOPE = 'https://www.googleapis.com/auth/admin.directory.group.readonly'

judge 'batch: calls come back to their own blocks' do
  users = Array.new(10) { make_user }
  found = {}
  DIRECTORY.batch do |all|
    users.each { |user| all.get_user(user.id) { |answer, error| found[user.id] = error || answer.primary_email } }
  end
  same found, users.to_h { |user| [user.id, user.primary_email] }
end

judge 'batch: a part that fails leaves the others' do
  group = make_group
  kept = {}
  DIRECTORY.batch do |all|
    all.patch_group(group.id, Admin::Group.new(description: 'by batch')) { |answer, error| kept[:good] = error || answer.description }
    all.get_group(address('nobody')) { |answer, error| kept[:bad] = error&.status_code || answer }
    all.insert_member(group.id, Admin::Member.new(email: "#{fresh('guest')}@example.org")) { |answer, error| kept[:member] = error || answer.role }
  end
  same kept, { good: 'by batch', bad: 404, member: 'MEMBER' }
  got = DIRECTORY.get_group(group.id)
  same [got.description, got.direct_members_count], ['by batch', 1]
end

judge 'batch: answers without a body are whole' do
  user = make_user
  ended = []
  DIRECTORY.batch { |all| all.delete_user(user.id) { |_answer, error| ended << error } }
  same ended, [nil]
  same refusal { DIRECTORY.get_user(user.id) }.status_code, 404
end

judge 'batch: of Logging too' do
  names = []
  LOGS.batch do |all|
    2.times { all.create_project_exclusion(PROJECT, Logs::LogExclusion.new(name: fresh('noise'), filter: 'severity<INFO')) { |answer, error| names << (error || answer.name) } }
  end
  same names.map { |name| LOGS.get_project_exclusion("#{PROJECT}/exclusions/#{name}").filter }, ['severity<INFO'] * 2
end

judge 'etag: If-None-Match of what was read is 304, until it changes' do
  group = make_group
  header = { 'If-None-Match' => DIRECTORY.get_group(group.id).etag }
  same refusal { DIRECTORY.get_group(group.id, options: { header: header }) }.status_code, 304
  DIRECTORY.patch_group(group.id, Admin::Group.new(description: 'x'))
  same DIRECTORY.get_group(group.id, options: { header: header }).description, 'x'
end

judge 'etag: If-Match of an old version is 412 and changes nothing' do
  group = make_group
  header = { 'If-Match' => DIRECTORY.get_group(group.id).etag }
  DIRECTORY.patch_group(group.id, Admin::Group.new(description: 'theirs'))
  error = refusal { DIRECTORY.patch_group(group.id, Admin::Group.new(description: 'mine'), options: { header: header }) }
  same error.status_code, 412
  same DIRECTORY.get_group(group.id).description, 'theirs'
end

judge 'retry: 503 is tried again until it is answered' do
  user = make_user
  fail_with(method: 'directory.users.get', status: 503, times: 2)
  same DIRECTORY.get_user(user.id, options: { retries: 3 }).id, user.id
end

judge 'retry: too few tries are a ServerError, and 429 a RateLimitError' do
  user = make_user
  fail_with(method: 'directory.users.get', status: 503, times: 2)
  same refusal { DIRECTORY.get_user(user.id, options: { retries: 1 }) }.class, Google::Apis::ServerError
  fail_with(method: 'directory.users.get', status: 429, times: 1)
  same refusal { DIRECTORY.get_user(user.id) }.class, Google::Apis::RateLimitError
  same DIRECTORY.get_user(user.id).id, user.id
end

judge 'retry: 403 rateLimitExceeded is tried again as the client decides' do
  group = make_group
  fail_with(method: 'directory.groups.get', status: 403, reason: 'rateLimitExceeded', times: 1)
  same DIRECTORY.get_group(group.id, options: { retries: 2 }).id, group.id
end

judge 'retry: a write that failed was not made, and is made once' do
  email = address('group')
  fail_with(method: 'directory.groups.insert', status: 500, times: 1)
  made = DIRECTORY.insert_group(Admin::Group.new(email: email, name: 'n'), options: { retries: 1 })
  same DIRECTORY.get_group(email).id, made.id
end

judge 'fields: an answer has what was asked for' do
  user = make_user
  got = DIRECTORY.get_user(user.id, fields: 'primaryEmail,name/givenName')
  same got.to_h, { primary_email: user.primary_email, name: { given_name: 'Grace' } }
  same refusal { DIRECTORY.get_user(user.id, fields: 'nonsense') }.status_code, 400
end

judge 'parameters: quota_user and a query of one\'s own are taken' do
  user = make_user
  same DIRECTORY.get_user(user.id, quota_user: 'me', options: { query: { 'prettyPrint' => 'false', 'key' => 'any' } }).id, user.id
end

judge 'errors: without a token an AuthorizationError' do
  bare = Admin::DirectoryService.new
  bare.root_url = "#{URL}/"
  same refusal { bare.list_users(customer: 'my_customer') }.class, Google::Apis::AuthorizationError
end

judge 'errors: names with letters beyond ASCII come back as they were' do
  user = make_user(name: Admin::UserName.new(given_name: 'Zoë 🚀', family_name: 'Łukasiewicz'))
  same DIRECTORY.get_user(user.id).name.full_name, 'Zoë 🚀 Łukasiewicz'
end

judge 'keys: googleauth signs with the key file, at the address that the file says' do
  said = JSON.parse(File.read(KEY_FILE))
  credentials = Google::Auth::ServiceAccountCredentials.make_creds(json_key_io: File.open(KEY_FILE), scope: TOKEN_SCOPE)
  # This version knows the vendor's address only; the file's is set by hand.
  credentials.token_credential_uri = said['token_uri']
  credentials.audience = said['token_uri']
  narrow = Admin::DirectoryService.new
  narrow.root_url = "#{URL}/"
  narrow.authorization = credentials
  group = make_group
  same narrow.get_group(group.id).id, group.id
  same refusal { narrow.delete_group(group.id) }.status_code, 403
  same DIRECTORY.get_group(group.id).id, group.id
end
