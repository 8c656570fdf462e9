(function () {
  var el = document.getElementById('__api_reference');
  fetch(el.dataset.src)
    .then(function (r) {
      return r.json();
    })
    .then(function (d) {
      el.innerHTML =
        '<h1>' +
        d.title +
        '</h1>' +
        d.sections
          .map(function (s) {
            return '<h2>' + s.h + '</h2><p>' + s.p + '</p>';
          })
          .join('');
    });
})();
