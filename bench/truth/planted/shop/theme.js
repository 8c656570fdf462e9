document.querySelectorAll('[data-cookie]').forEach(function (b) {
  b.addEventListener('click', function () {
    document.cookie = 'consent=' + b.dataset.cookie + ';path=/';
    document.getElementById('cookie-bar').remove();
  });
});
